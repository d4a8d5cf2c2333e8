// verdict: holds
// states: 160
// native
// optimised
// A compare-exchange of a struct compares its padding, too, which a loop that
// loads and exchanges carries along.
#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>

struct part { char a; int b; };
struct long_part { char a; long b; };
_Atomic struct part s;
_Atomic struct long_part t;

int main(void)
{
    for (int i = 0; i < 2; i++) {
        struct part e = s, n;
        do {
            n.a = 1;
            n.b = e.b + 1;
        } while (!atomic_compare_exchange_strong(&s, &e, n));
    }
    for (int i = 0; i < 2; i++) {
        struct part e, n;
        e.a = 7; /* not what is there */
        e.b = 7;
        do {
            n.a = 2;
            n.b = e.b + 1;
        } while (!atomic_compare_exchange_strong(&s, &e, n));
    }
    struct part end = s;
    assert(end.a == 2 && end.b == 4);
    printf("%d %d\n", end.a, end.b);
}
