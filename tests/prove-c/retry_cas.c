// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
#include <stdatomic.h>
int nondet(void);
atomic_int n;

void t(void) {
    int tries = 0;
    int seen = n;
    while (tries < 5 && !atomic_compare_exchange_strong(&n, &seen, 7))
        tries++;
}

void e(void) {
    n = nondet();
}
