/* Exclusive use of channels, kept. */
chan up = [2] of { byte };
chan down = [2] of { byte };

active proctype near()
{
	byte i;
	xs up;
	xr down;
	do
	:: i < 4 -> up!i; i++
	:: down?_
	:: i == 4 && empty(down) -> break
	od
}

active proctype far()
{
	byte v;
	xr up;
	xs down;
end:	do
	:: up?v -> if :: v % 2 == 0 -> down!v :: else fi
	od
}
