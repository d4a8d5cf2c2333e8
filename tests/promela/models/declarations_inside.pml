/* Declarations behind statements are steps, in blocks they have scopes. */
byte x;

active [2] proctype p()
{
	byte first = 4;
	x++;
	byte second = x;
	short third[2];
	{
		byte nested = 9;
		x = nested;
		byte inner;
		inner = 2
	}
	if
	:: byte in_option = 3; x = in_option
	:: x > 3; bool flag; flag = 1
	fi;
	x = first + second + third[0]
}
