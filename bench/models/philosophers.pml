/* Dining philosophers; the first is left-handed, so nobody starves of forks. */
#ifndef N
#define N 6
#endif
byte fork[N];
byte meals[N];

active [N] proctype philosopher()
{
	byte first, second;
	if
	:: _pid == 0 -> first = 1 % N; second = 0
	:: else -> first = _pid; second = (_pid + 1) % N
	fi;
	do
	:: atomic { fork[first] == 0 -> fork[first] = _pid + 1 };
	   atomic { fork[second] == 0 -> fork[second] = _pid + 1 };
	   assert(fork[first] == _pid + 1 && fork[second] == _pid + 1);
	   meals[_pid] = 1 - meals[_pid];
	   fork[second] = 0;
	   fork[first] = 0
	od
}
