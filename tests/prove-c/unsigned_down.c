// verdict: holds
// options: --thread t --env 't*'
#include <pthread.h>
unsigned n;

void t(void) {
    unsigned i = n;
    while (i > 0)
        i--;
}
