// A library that starts a thread: what it hands over is not there to see.
// verdict: inconclusive
// options: --thread drain
#include <pthread.h>

int x;

void *fill(void *arg) {
    for (;;)
        *(int *)arg = 5;
}

void begin(pthread_t *thread) { pthread_create(thread, 0, fill, &x); }

void drain(void) {
    while (x > 0)
        x--;
}
