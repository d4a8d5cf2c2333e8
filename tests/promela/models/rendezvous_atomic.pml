/* Control passes through a handshake into an atomic sequence and is lost
 * where the receiver is not atomic. */
chan a = [0] of { byte };
chan b = [0] of { byte };
byte x, y;

active proctype left()
{
	byte k;
	do
	:: atomic { x < 3; a!x; x++; y = x }
	:: atomic { b?k -> x = k; y = k + 1 }
	:: x == 3 -> break
	od
}

active proctype right()
{
	byte k;
end:	do
	:: atomic { a?k -> y = k; y++; y = 0 }
	:: a?k -> y = 5; y = 6
	:: atomic { x == 1 -> b!0; y = 9 }
	od
}
