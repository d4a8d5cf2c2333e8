/* Dining philosophers, all left-handed: a deadlock. */
#define N 4
bool fork[N];
byte eating;

active [N] proctype philosopher()
{
	byte left = _pid, right = (_pid + 1) % N;
	do
	:: atomic { !fork[left] -> fork[left] = true };
	   atomic { !fork[right] -> fork[right] = true };
	   eating++;
	   eating--;
	   fork[right] = false;
	   fork[left] = false
	od
}
