/* Deterministic steps: loops, choices, guards, nested blocks. */
byte a[4] = { 3, 1, 2, 0 };
byte rounds;

active proctype sorter()
{
	byte i, j, t;
	do
	:: d_step {
		rounds < 3 ->
		i = 0;
		do
		:: i < 3 ->
			j = 0;
			do
			:: j < 3 - i ->
				if
				:: a[j] > a[j + 1] -> { t = a[j]; a[j] = a[j + 1]; a[j + 1] = t }
				:: else
				fi;
				j++
			:: else -> break
			od;
			i++
		:: else -> break
		od;
		t = 0;
		rounds++
	   }
	:: rounds == 3 -> break
	od;
	assert(a[0] == 0 && a[1] == 1 && a[2] == 2 && a[3] == 3)
}

active proctype spoiler()
{
	d_step { if :: rounds == 1 -> a[0] = 3; a[3] = 0 :: rounds > 1 fi };
	d_step { do :: a[0] == 3 -> a[0] = 0; a[3] = 3 :: a[0] != 3 -> break od }
}
