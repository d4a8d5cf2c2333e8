/* Else with expressions, channel polls and nested selections. */
chan q = [2] of { byte };
byte x, y;

active proctype p()
{
	do
	:: x < 3 ->
	   if
	   :: x == 0 -> x = 2
	   :: else -> x++
	   :: x == 1 -> x = 3
	   fi
	:: q?[3] -> q?y
	:: x == 3 -> if :: len(q) < 2 -> q!3 :: else -> break fi
	od
}

active proctype r()
{
	byte k;
	do
	:: q?k -> if :: k == 3 -> y++ :: else fi
	:: y > 1 -> break
	od
}
