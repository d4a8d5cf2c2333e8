// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
int n = 1;

void t(void) {
    for (int i = 0; i < n; i = i < 5 ? i + 1 : 1)
        ;
}

void e(void) {
    if (n < 10)
        n++;
}
