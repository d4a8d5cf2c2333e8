/* The value of a c_expr is a number like any other. */
c_decl { static int square(int x) { return x * x; } }
byte x, y;

active proctype P() {
	do
	:: x < 5 -> x++; c_code { now.y = square(now.x) % 7; }
	:: x == c_expr { now.y + 1 } && y > 0 -> x = 0
	:: x == 5 -> assert(c_expr { square(now.x) } == 25); x = y / 2
	od
}
