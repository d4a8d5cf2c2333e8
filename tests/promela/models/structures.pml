/* Structures, arrays in them, in messages and as loop elements. */
typedef Point { byte x; short y[2]; bit on }
typedef Pair { Point p[2]; byte n }
chan wire = [2] of { Point, byte };
chan store = [2] of { Point };
Pair pair;
Point got;

active proctype a()
{
	byte tag;
	pair.p[0].x = 300;
	pair.p[1].y[1] = -5;
	pair.p[1].on = 3;
	pair.n = pair.p[0].x;
	wire!pair.p[1],7;
	wire!pair.p[0],8;
	wire?got,tag;
	assert(tag == 7 && got.y[1] == -5 && got.on == 1);
	store!got; store!pair.p[0]
}

active proctype b()
{
	Point each;
	byte sum;
	len(store) == 2;
	for (each in store) { sum = sum + each.x }
	assert(sum == 44)
}
