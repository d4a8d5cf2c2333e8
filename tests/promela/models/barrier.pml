/* A barrier used twice, with the classic counter bug. */
#define N 3
byte arrived;
byte phase[N];

active [N] proctype p()
{
	byte r;
	for (r : 1 .. 2) {
		arrived++;
		(arrived % N == 0);
		phase[_pid]++;
		assert(phase[0] <= phase[1] + 1 && phase[1] <= phase[0] + 1)
	}
}
