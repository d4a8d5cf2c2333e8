/* A lift; it never moves with its door open. */
#ifndef FLOORS
#define FLOORS 6
#endif
#ifndef PEOPLE
#define PEOPLE 3
#endif
bool call[FLOORS];
byte floor;
bool door, up = 1;
byte where[PEOPLE];
bool inside[PEOPLE];

active [PEOPLE] proctype person()
{
	byte to;
	do
	:: to = (where[_pid] + 1 + _pid) % FLOORS;
	   call[where[_pid]] = 1;
	   atomic { door && floor == where[_pid] -> inside[_pid] = 1 };
	   call[to] = 1;
	   atomic { door && floor == to -> inside[_pid] = 0; where[_pid] = to };
	   to = 0
	od
}

active proctype lift()
{
	byte i;
	do
	:: atomic { call[floor] && !door -> door = 1; call[floor] = 0 }
	:: door -> door = 0
	:: atomic { !door && !call[floor] ->
	     if
	     :: up && floor < FLOORS - 1 -> floor++
	     :: up && floor == FLOORS - 1 -> up = 0
	     :: !up && floor > 0 -> floor--
	     :: !up && floor == 0 -> up = 1
	     fi;
	     assert(!door)
	   }
	od
}
