/* Mutual exclusion for two processes after Peterson. */
bool flag[2];
byte turn;
byte inside;

active [2] proctype user()
{
	byte me = _pid, other = 1 - _pid;
	do
	:: flag[me] = true;
	   turn = other;
	   (flag[other] == false || turn == me);
	   inside++;
	   assert(inside == 1);
	   inside--;
	   flag[me] = false
	od
}
