/* Every integer type wraps as C does. */
bit b; bool t; byte y; short s; int i; unsigned u : 5; pid p; mtype m;
byte ys[2]; bit bs[2]; unsigned w : 1;

active proctype p1()
{
	b = 2; b = 3; t = 4; y = 255; y++; y--; s = 32767; s++; s = s - 1;
	i = 2147483647; i = i + 1; i = i / 2; i = -7 / 2; i = -7 % 3; i = 1 << 31; i = i >> 31;
	u = 33; u = -1; p = 256; m = 257; ys[0] = 511; bs[1] = 2; w = 3;
	i = ~u; i = !u; i = -u; i = (y > 3 && s < 0 || u == 31); i = y ^ 5 | 2 & 6;
	assert(y == 255 && s == 32767 && u == 31 && bs[1] == 2 && w == 1)
}

active proctype q1() { u = u + 1; y = y * 3; s = s << 1 }
