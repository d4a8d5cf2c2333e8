/* Dining philosophers with one right-handed: no deadlock. */
#define N 4
bool fork[N];

proctype philosopher(byte first, second)
{
	do
	:: d_step { !fork[first] -> fork[first] = true };
	   d_step { !fork[second] -> fork[second] = true };
	   fork[first] = false;
	   fork[second] = false
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. N - 2) { run philosopher(i, i + 1) }
		run philosopher(0, N - 1)
	}
}
