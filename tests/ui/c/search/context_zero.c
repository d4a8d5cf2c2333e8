// verdict: inconclusive
// states: 109
// exeunt: --context-bound 0
// Without a preemptive switch the increments come one after another, and that
// says nothing about other schedules.
#include <assert.h>
#include <pthread.h>

static volatile int x;

static void *twice(void *unused) {
    for (int i = 0; i < 2; i++) {
        int old = x;
        x = old + 1;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, twice, 0);
    pthread_create(&b, 0, twice, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x != 2);
    return 0;
}
