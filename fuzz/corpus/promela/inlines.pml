/* Inline text with arguments, nested, with labels and a value. */
byte x, y;

inline swap(a, b) { byte t; t = a; a = b; b = t }
inline grow(v, by) { if :: v < 5 -> v = v + by :: else -> goto enough fi }
inline twice(v) { grow(v, 1); grow(v, 2) }

active [2] proctype p()
{
	x = 1;
	y = 2;
	swap(x, y);
	do
	:: twice(x)
	:: x > 3 -> break
	od;
enough:	assert(x > 0)
}
