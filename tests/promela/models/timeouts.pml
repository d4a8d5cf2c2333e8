/* Timeout holds only where nothing else can move. */
chan q = [1] of { byte };
byte lost, state;

active proctype client()
{
	do
	:: state < 2 -> q!state;
	   if
	   :: q?[5] -> q?5
	   :: timeout -> lost++; q?_
	   fi;
	   state++
	:: state == 2 -> break
	od
}

active proctype noise()
{
	byte i;
	for (i : 1 .. 3) { state == state }
	timeout -> state = 2
}
