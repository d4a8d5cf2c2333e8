/* Handshakes with constants, choices and several partners. */
mtype = { red, green, blue };
chan c = [0] of { mtype, byte };
byte reds, others;

active [2] proctype source()
{
	byte n;
	do
	:: n < 2 -> c!red(n); n++
	:: n < 2 -> c!blue,n; n++
	:: n == 2 -> break
	od
}

active [2] proctype sink()
{
	byte x;
	mtype m;
end:	do
	:: c?red(x) -> reds++
	:: c?m,eval(x) -> others++
	:: c?blue,x
	od
}
