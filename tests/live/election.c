/* Both may win the election: the test and the setting are not one step
 * (Cooperman and Quinson, 2020, listing 3). */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
static int val1, val2;
static void *other(void *arg) {
    sched_yield();
    if (!val1) {
        sched_yield();
        val2 = 1;
    }
    assert(!(val1 && val2));
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    sched_yield();
    if (!val2) {
        sched_yield();
        val1 = 1;
    }
    assert(!(val1 && val2));
    pthread_join(t, 0);
    return 0;
}
