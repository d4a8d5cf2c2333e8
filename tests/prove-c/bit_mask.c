// verdict: holds
// options: --thread t --env 't*'
#include <pthread.h>
int nondet(void);

void t(void) {
    int i = nondet() & 255;
    while (i > 0)
        i = i / 2;
}
