/* Peterson's filter lock for N processes. */
#ifndef N
#define N 3
#endif
byte level[N];
byte last[N];
byte inside;

active [N] proctype user()
{
	byte k, j;
again:
	k = 1;
	do
	:: k < N ->
	   level[_pid] = k;
	   last[k] = _pid;
	   j = 0;
	   do
	   :: j < N ->
	      if
	      :: j == _pid
	      :: else -> (level[j] < k || last[k] != _pid)
	      fi;
	      j++
	   :: else -> break
	   od;
	   k++
	:: else -> break
	od;
	inside++;
	assert(inside == 1);
	inside--;
	level[_pid] = 0;
	goto again
}
