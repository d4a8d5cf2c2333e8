/* Hidden scratch variables are not part of the state. */
hidden byte scratch;
show byte visible;
local byte mine;
chan q = [2] of { byte };

active proctype p()
{
	byte i;
	for (i : 0 .. 3) { q!i }
	mine = 1
}

active proctype r()
{
end:	do
	:: atomic { q?scratch; visible = visible + scratch; scratch = 0 }
	od
}
