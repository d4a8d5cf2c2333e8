/* Looking at other processes: what they could do and where they are. */
byte x;
bool was;

active proctype a()
{
	x == 1 -> x = 2;
	x == 3
}

active proctype b()
{
	was = enabled(0);
	if
	:: pc_value(0) == 1 -> x = 1
	:: else
	fi;
	enabled(0);
	pc_value(0) > 1 -> x = (x == 2 -> 3 : x)
}
