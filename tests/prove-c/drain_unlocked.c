// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
int n;

void t(void) {
    while (n > 0)
        n--;
}

void e(void) {
    n = 100;
}
