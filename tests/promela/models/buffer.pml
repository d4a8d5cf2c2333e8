/* Bounded buffer on an array with counters. */
#define SIZE 2
byte slot[SIZE];
byte filled, put, taken;

active [2] proctype producer()
{
	byte n;
	do
	:: n < 3 ->
	   atomic { filled < SIZE -> slot[put % SIZE] = n; put++; filled++ }
	   n++
	:: n == 3 -> break
	od
}

active proctype consumer()
{
	byte v;
end:	do
	:: atomic { filled > 0 -> v = slot[taken % SIZE]; slot[taken % SIZE] = 0; taken++; filled-- }
	   assert(v < 3)
	od
}
