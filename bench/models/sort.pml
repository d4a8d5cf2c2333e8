/* A pipeline that sorts, one process for each number; any numbers. */
#ifndef N
#define N 6
#endif
#ifndef RANGE
#define RANGE 3
#endif
chan feed[N] = [2] of { byte };
byte result[N];
byte done;

proctype stage(byte id)
{
	byte mine, other, i;
	feed[id]?mine;
	i = id + 1;
	do
	:: i < N ->
	   feed[id]?other;
	   if
	   :: other < mine -> feed[id + 1]!mine; mine = other
	   :: else -> feed[id + 1]!other
	   fi;
	   i++
	:: else -> break
	od;
	result[id] = mine;
	done++
}

init {
	byte i, x;
	atomic { i = 0; do :: i < N -> run stage(i); i++ :: else -> break od };
	i = 0;
	do
	:: i < N ->
	   x = 0;
	   do
	   :: x < RANGE -> x++
	   :: feed[0]!x; break
	   od;
	   i++
	:: else -> break
	od;
	(done == N);
	i = 0;
	do
	:: i < N - 1 -> assert(result[i] <= result[i + 1]); i++
	:: else -> break
	od
}
