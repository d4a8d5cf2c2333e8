/* A model drives C code: a channel is what the ring should be, and is not. */
c_decl {
	\#define RING_BUG
	\#include "ring.c"
}
c_track "&ring" "sizeof(struct ring)"
chan reference = [3] of { byte };
byte got;

active proctype Driver() {
	byte wanted, next;
	do
	:: nfull(reference) ->
		reference!next;
		c_code { ring_put(PDriver->next); };
		next = (next + 1) % 2
	:: reference?wanted ->
		c_code { now.got = ring_get(); };
		assert(got == wanted)
	od
}
