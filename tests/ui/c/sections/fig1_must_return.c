// verdict: violated section
// states: 35
// exeunt: --sections function
// Štill and Barnat, Fig. 1 without a join: only the worker itself can tell that it
// never comes to its end.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, ticks;

EXEUNT_MUST_RETURN static void wait_for_work(void) {
    while (x != 0) {
    }
}

static void *worker(void *unused) {
    wait_for_work(); //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    x = 42;
    for (;;)
        ticks ^= 1;
}
