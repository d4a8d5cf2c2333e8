// verdict: violated
// options: --thread t --env 't*'
#include <pthread.h>
int n;

void t(void) {
    for (;;)
        n = 1;
}
