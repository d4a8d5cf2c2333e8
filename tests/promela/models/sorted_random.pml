/* Sorted sends, random receives, peeks and polls. */
chan q = [4] of { byte, short };
byte seen;

active proctype writer()
{
	q!!3,1; q!!1,-2; q!!2,5; q!!1,-3; q!9,9
}

active proctype picker()
{
	byte a; short b;
	do
	:: q??2,b -> seen = seen | 1
	:: q??<1,b> -> if :: seen & 2 -> q??1,b :: else -> seen = seen | 2 fi
	:: q?[3,1] -> q?3,b; seen = seen | 4
	:: q??[9,9] && seen == 7 -> q??9,b; break
	:: timeout -> break
	od
}
