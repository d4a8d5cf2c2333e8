/* Handshakes along a row of filters that work on their own between them. */
#ifndef N
#define N 6
#endif
#ifndef ITEMS
#define ITEMS 6
#endif
chan hop[N + 1] = [0] of { byte };
byte out;

active [N] proctype filter()
{
	byte x, step;
end:	do
	:: hop[_pid]?x ->
	   step = 0;
	   do
	   :: step < 2 -> step++
	   :: step == 2 -> break
	   od;
	   hop[_pid + 1]!x;
	   x = 0; step = 0
	od
}

active proctype source()
{
	byte sent;
	do
	:: sent < ITEMS -> hop[0]!sent; sent++
	:: sent == ITEMS -> break
	od
}

active proctype sink()
{
	byte got;
	do
	:: out < ITEMS -> hop[N]?got; assert(got == out); out++
	:: out == ITEMS -> break
	od
}
