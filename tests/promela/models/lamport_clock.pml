/* Logical clocks on messages between two processes. */
chan c[2] = [2] of { byte };
byte clock[2];

active [2] proctype p()
{
	byte t, n;
	do
	:: n < 3 -> d_step { clock[_pid]++; n++ }; c[1 - _pid]!clock[_pid]
	:: c[_pid]?t ->
	   atomic {
		clock[_pid] = (clock[_pid] > t -> clock[_pid] : t) + 1;
		assert(clock[_pid] > t)
	   }
	:: n == 3 && len(c[_pid]) == 0 -> break
	od
}
