// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
#include <stdatomic.h>
atomic_int n;

void t(void) {
    int seen = 0;
    while (!atomic_compare_exchange_strong(&n, &seen, 7))
        seen = 0;
}

void e(void) {
    n = n == 0 ? 1 : 0;
}
