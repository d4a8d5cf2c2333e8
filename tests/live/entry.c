/* A thread goes inside if the other one does not want to, or if it is its turn.
 * LATE: it says that it wants to only after it has looked. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int wants[2], turn;
static int inside;
static void work(int me) {
#ifdef LATE
    int free = !wants[1 - me];
    wants[me] = 1;
#else
    wants[me] = 1;
    turn = 1 - me;
    int free = !(wants[1 - me] && turn == 1 - me);
#endif
    if (free) {
        inside++;
        assert(inside == 1);
        inside--;
    }
    wants[me] = 0;
}
static void *other(void *arg) {
    work(1);
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
