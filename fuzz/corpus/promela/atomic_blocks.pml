/* Atomic sequences that block in the middle lose control there. */
byte x, y, z;

active proctype a()
{
	atomic { x = 1; y == 1; x = 2; z == 1; x = 3 }
	assert(x == 3)
}

active proctype b()
{
	atomic { y = 1; x == 2; z = 1; if :: x == 3 -> y = 2 :: x == 2 -> y = 3 fi }
}

active proctype c()
{
	do
	:: atomic { z == 0 -> x < 9; z = 0; break }
	:: y == 2 -> break
	:: y == 3 -> break
	od
}
