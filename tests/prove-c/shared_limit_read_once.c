// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
int n;

void t(void) {
    int limit = n;
    for (int i = 0; i < limit; i++)
        ;
}

void e(void) {
    n = nondet();
}
