/* Selection of values: written out, and as a loop. */
byte a, b;
short c;

active proctype p()
{
	byte limit = 3;
	select (a : 1 .. 3);
	select (b : 2 .. limit);
	select (c : 0 .. 40);
	if :: c > 38 -> assert(a + b < 7) :: else fi
}
