// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int n;

void t(void) {
    for (int i = 0; i < n; i++)
        ;
}

void e(void) {
    if (n > 0)
        n--;
}
