/* C code in atomic sequences, d_steps, options and loops; `else` beside a c_expr. */
c_decl { static int twice(int x) { return 2 * x; } }
byte n, m;
c_code { static void reset(void) { now.n = 0; now.m = 0; } }

active proctype P() {
	byte k;
	do
	:: k < 2 -> atomic { c_code { now.n = twice(now.n) + 1; }; k++ }
	:: d_step { n > 6 -> c_code { reset(); }; k = 0 }
	:: c_expr { now.m > PP->_pid } -> m--
	:: else -> d_step { if :: c_expr { now.n % 2 } -> m++ :: else fi; c_code { now.m %= 3; } }
	od
}
