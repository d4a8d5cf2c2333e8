/* Naive election of a leader. At most one of two threads may become the leader. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int taken, leaders;
static void *work(void *arg) {
    if (!atomic_exchange(&taken, 1))
        leaders++;
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(leaders <= 1);
    return 0;
}
