/* Peterson's algorithm, with and without `volatile` (Zaks and Joshi, "pancam").
 *
 *     exeunt check examples/07_peterson.c -- -O2
 *     exeunt check examples/07_peterson.c -- -O2 -DSHARED=
 *     exeunt check examples/07_peterson.c -- -O0 -DSHARED=
 *
 * What is checked is the program that the compiler makes of the source. Without
 * `volatile` the optimiser may read the other thread's flag once and keep what
 * it has seen: at -O2 a thread that had to wait once then waits for ever. At
 * -O0 nothing of the kind happens, and the same source holds.
 */
#include <assert.h>
#include <pthread.h>

#ifndef SHARED
#define SHARED volatile
#endif

static SHARED int wants[2], turn;
static volatile int inside;

static void *work(void *arg) {
    long me = (long)arg, other = 1 - me;
    wants[me] = 1;
    turn = (int)other;
    while (wants[other] && turn == other) {
        /* wait */
    }
    inside++;
    assert(inside == 1);
    inside--;
    wants[me] = 0;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)0);
    pthread_create(&b, 0, work, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
