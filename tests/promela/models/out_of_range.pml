/* An index that runs over the end of an array. */
byte a[3];
active proctype p()
{
	byte i;
	do
	:: i < 3 -> a[i] = i; i++
	:: i == 3 -> break
	od;
	if
	:: i == 3 -> i--
	:: i == 2 -> skip
	fi;
	assert(a[i] == 2)
}
