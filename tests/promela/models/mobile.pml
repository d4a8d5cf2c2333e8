/* Channels travel in messages and as arguments. */
chan dispatch = [1] of { chan, byte };
byte served;

proctype client(byte id)
{
	chan mine = [1] of { byte };
	byte answer;
	dispatch!mine(id);
	mine?answer;
	assert(answer == id + 1);
	served++
}

active proctype server()
{
	chan who;
	byte id;
end:	do
	:: dispatch?who(id) -> who!id + 1
	od
}

init { atomic { run client(1); run client(2) }; run client(3) }
