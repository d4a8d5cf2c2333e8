// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int ready;

void t(void) {
    int ticks = 1000;
    while (!ready && ticks > 0)
        ticks--;
}

void e(void) {
    ready = 1;
}
