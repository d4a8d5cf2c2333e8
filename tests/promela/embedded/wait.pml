/* A c_expr that never holds: an invalid end state. */
c_state "int turn" "Global" "0"

active [2] proctype P() {
	c_expr { now.turn == PP->_pid };
	c_code { now.turn = 2; }
}
