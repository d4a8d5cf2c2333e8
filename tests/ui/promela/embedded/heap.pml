// verdict: holds
// states: 15
// A stack of cells on the heap. SPIN would not restore them when it goes back.
c_decl {
	\#include <stdlib.h>
	struct cell { struct cell *next; };
	struct cell *top;
}
c_state "int height" "Global" "0"
c_code {
	static void push(void) {
		struct cell *cell = malloc(sizeof *cell);
		cell->next = top;
		top = cell;
		now.height++;
	}
	static void pop(void) {
		struct cell *cell = top;
		top = cell->next;
		free(cell);
		now.height--;
	}
}

active [2] proctype P() {
	do
	:: c_expr { now.height < 3 } -> atomic { c_expr { now.height < 3 } -> c_code { push(); } }
	:: atomic { c_expr { now.height > 0 } -> c_code { pop(); } }
	od
}
