/* Clients send the channel that they want to be answered on. */
#ifndef N
#define N 4
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
chan dispatch = [2] of { chan, byte };
byte served;

proctype client(byte id)
{
	chan mine = [1] of { byte };
	byte answer, round;
	do
	:: round < ROUNDS ->
	   dispatch!mine(id + round);
	   mine?answer;
	   assert(answer == id + round + 1);
	   round++
	:: else -> break
	od;
	served++
}

active [2] proctype server()
{
	chan who;
	byte id;
end:	do
	:: dispatch?who(id) -> who!id + 1
	od
}

init {
	byte i;
	atomic { i = 0; do :: i < N -> run client(10 * i); i++ :: else -> break od }
}
