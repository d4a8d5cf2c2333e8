/* For loops over ranges and arrays, break, goto into and out of loops. */
byte v[3] = { 1, 2, 3 };
int sum;

active [2] proctype p()
{
	byte i, j;
	for (i in v) { sum = sum + v[i] }
	for (i : 1 .. 3) {
		for (j : i .. 3) {
			if
			:: j == 3 -> break
			:: i == 2 -> goto out
			:: else -> skip
			fi
		}
	}
out:	i = 0; j = 0
}
