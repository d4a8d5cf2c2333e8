/* A variable of the model is changed through a pointer that was kept. */
c_decl { static unsigned char *kept; }
byte x, y;

active proctype P() {
	c_code { kept = &now.x; };
	do
	:: c_expr { *kept < 3 } -> c_code { ++*kept; }; assert(x > 0)
	:: x > 1 -> x = 0; y = 1 - y
	od
}
