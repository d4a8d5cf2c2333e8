/* A flag with the inverted condition (Štill and Barnat, Fig. 1).
 *
 *     exeunt check examples/09_inverted_flag.c
 *
 * The worker was meant to wait until `x` is set. It waits until `x` is *not*
 * set, so if it comes late it spins for ever. No assertion fails, no thread is
 * blocked for good except main in its join: no safety check sees anything.
 * What is reported is the join, a section that is entered and cannot be left.
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *unused) {
    while (x != 0) {
        /* wait */
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    x = 42;
    pthread_join(thread, 0);
    return 0;
}
