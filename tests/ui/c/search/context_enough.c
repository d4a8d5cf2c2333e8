// verdict: holds
// states: 1805
// exeunt: --context-bound auto
// reductions: none global tau
// Once nothing is cut off any more, the answer is that of a search without a
// bound.
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
    assert(x >= 2);
    return 0;
}
