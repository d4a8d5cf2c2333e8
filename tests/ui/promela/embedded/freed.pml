// verdict: violated memory
// states: 6
// One process frees what another one writes to.
c_decl {
	\#include <stdlib.h>
	int *cell;
}
c_track "&cell" "sizeof(int *)"
byte step;

active proctype Owner() {
	c_code { cell = malloc(sizeof *cell); *cell = 1; };
	step = 1;
	c_code { free(cell); }
}

active proctype User() {
	step == 1 -> c_code {
		*cell = 2; //~ error
	}
}
