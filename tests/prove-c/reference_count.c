// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
#include <stdatomic.h>
int nondet(void);
atomic_int refs;

void t(void) {
    while (atomic_load(&refs) > 0 && nondet())
        if (atomic_load(&refs) > 0)
            return;
}

void e(void) {
    atomic_fetch_add(&refs, 1);
    atomic_fetch_sub(&refs, 1);
}
