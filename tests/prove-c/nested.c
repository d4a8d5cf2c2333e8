// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
int n;

void t(void) {
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < i; j++)
            n = j;
}

void e(void) {
    n = nondet();
}
