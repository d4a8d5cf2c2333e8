/* A formula about C memory. */
c_state "int level" "Global" "1"

active proctype Up() {
	do
	:: c_expr { now.level < 4 } -> c_code { now.level++; }
	:: c_expr { now.level == 4 } -> c_code { now.level = 1; }
	od
}

ltl small { [] (c_expr { now.level <= 4 }) }
