/* Processes end youngest first; numbers are used again. */
byte done;
pid last_one;

proctype leaf(byte depth)
{
	if
	:: depth > 0 -> last_one = run leaf(depth - 1)
	:: depth == 0 -> skip
	fi;
	done++
}

init {
	run leaf(2);
	run leaf(1);
	(_nr_pr == 1);
	assert(done == 5);
	run leaf(0)
}
