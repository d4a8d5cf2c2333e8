/* Readers and writers; a waiting writer keeps new readers out. */
#ifndef R
#define R 4
#endif
#ifndef WR
#define WR 2
#endif
byte readers, writers, waiting;

active [R] proctype reader()
{
	byte seen;
	do
	:: atomic { writers == 0 && waiting == 0 -> readers++ };
	   assert(writers == 0);
	   seen = 1 - seen;
	   readers--
	od
}

active [WR] proctype writer()
{
	do
	:: waiting++;
	   atomic { readers == 0 && writers == 0 -> writers++; waiting-- };
	   assert(readers == 0);
	   assert(writers == 1);
	   writers--
	od
}
