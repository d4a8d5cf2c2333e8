// verdict: violated
// options: --thread t --env 'e*'
#include <pthread.h>
int ticks = 3;

void t(void) {
    while (ticks > 0)
        ticks--;
}

void e(void) {
    ticks = 3;
}
