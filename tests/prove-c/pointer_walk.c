// verdict: holds
// options: --thread t --env 't*'
#include <pthread.h>
int a[8], sum;

void t(void) {
    for (int *p = a; p < a + 8; p++)
        sum += *p;
}
