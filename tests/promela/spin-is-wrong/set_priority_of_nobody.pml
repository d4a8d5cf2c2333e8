/* Setting the priority of a process that does not run changes nothing, but
 * when SPIN takes the step back it sets that of process 0 to zero. */
chan d = [1] of { byte };
byte x;

active proctype looper()
{
	do
	:: pc_value(1) < 4 -> x = 1
	:: nempty(d)
	od
}

active proctype other()
{
	byte i;
	if
	:: x = 2
	:: x < 2
	fi;
	set_priority(2, 1);
	d!1;
	i = 1
}
