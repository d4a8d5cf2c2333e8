/* A token goes round; who holds it may do some work, and workers finish on
   their own time. */
#ifndef N
#define N 6
#endif
chan ring[N] = [1] of { byte };
byte busy[N];

active [N] proctype node()
{
	byte t;
	do
	:: ring[_pid]?t ->
	   if
	   :: busy[_pid] == 0 -> busy[_pid] = 1
	   :: skip
	   fi;
	   ring[(_pid + 1) % N]!(t + 1) % 4
	:: busy[_pid] == 1 -> busy[_pid] = 2
	:: busy[_pid] == 2 -> busy[_pid] = 0
	od
}

init { ring[0]!0 }
