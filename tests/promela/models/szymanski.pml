/* Szymanski's waiting room for three processes. */
#define N 3
byte flag[N];
byte in_cs;

inline for_all(cond_ok, i) {
	i = 0;
	do
	:: i < N && cond_ok -> i++
	:: i == N -> break
	od
}

active [N] proctype p()
{
	byte i;
	bool waiting;
	do
	:: flag[_pid] = 1;
	   for_all((flag[i] < 3), i);
	   flag[_pid] = 3;
	   waiting = false;
	   i = 0;
	   do
	   :: i < N -> waiting = (waiting || flag[i] == 1); i++
	   :: else -> break
	   od;
	   if
	   :: waiting -> flag[_pid] = 2; (flag[0] == 4 || flag[1] == 4 || flag[2] == 4)
	   :: else
	   fi;
	   flag[_pid] = 4;
	   i = 0;
	   do
	   :: i < _pid && flag[i] < 2 -> i++
	   :: i == _pid -> break
	   od;
	   in_cs++; assert(in_cs == 1); in_cs--;
	   i = _pid + 1;
	   do
	   :: i < N && (flag[i] < 2 || flag[i] > 3) -> i++
	   :: i >= N -> break
	   od;
	   flag[_pid] = 0
	od
}
