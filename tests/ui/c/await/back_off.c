// verdict: holds
// states: any
// reductions: tau movers
// The rounds of a back-off loop, and a counter of failed attempts that nobody asks for, are
// no states of their own.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;
static int x;

static void acquire(void) {
    unsigned delay = 1, failed = 0;
    while (atomic_exchange(&lock, 1)) {
        for (volatile unsigned i = 0; i < delay; i++) {
        }
        if (delay < 256)
            delay *= 4;
        failed++;
    }
}

static void *run(void *unused) {
    acquire();
    x++;
    lock = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
