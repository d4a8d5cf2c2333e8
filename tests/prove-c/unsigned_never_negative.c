// verdict: violated
// options: --thread t --env 't*'
#include <pthread.h>
int dummy;

void t(void) {
    unsigned i = 3;
    while (i >= 0)
        i = i > 0 ? i - 1 : 3;
}
