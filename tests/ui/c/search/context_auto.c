// verdict: violated assertion
// states: 291
// exeunt: --context-bound auto
// reductions: none global tau
// Twice two increments that leave 2: one thread is stopped in its last one until the
// other one has done both.
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
    assert(x != 2);  //~ error
    return 0;
}
