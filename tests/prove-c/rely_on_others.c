// What is done never exceeds what is begun, and what is begun is not taken back: so whoever reads both, in this
// order, need not look again. `report` keeps that only because others let `begun` grow.
// verdict: holds
// options: --thread look --env 'begin*,report*'
// verdict: violated
// options: --thread look --env 'begin*,report*,undo*'
#include <stdatomic.h>

_Atomic int begun;
_Atomic int done;

void look(void) {
    int seen_done, seen_begun;
    do {
        seen_done = done;
        seen_begun = begun;
    } while (seen_done > seen_begun);
}

void begin(void) {
    int seen = begun;
    if (seen < 1000)
        atomic_compare_exchange_strong(&begun, &seen, seen + 1);
}

void report(void) { done = begun; }

void undo(void) { begun = 0; }
