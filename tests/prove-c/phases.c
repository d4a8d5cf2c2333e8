// verdict: holds
// options: --thread t --env 't*'
#include <pthread.h>
int nondet(void);

void t(void) {
    int x = nondet(), y = nondet();
    while (x > 0 && x < 1000000) {
        x = x + y;
        y = y - 1;
        if (y < -1000)
            return;
    }
}
