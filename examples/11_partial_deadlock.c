/* A partial deadlock: two of three threads are stuck, the third works on.
 *
 *     exeunt check examples/11_partial_deadlock.c
 *     exeunt check examples/11_partial_deadlock.c --sections join
 *
 * The whole program never stops, so nothing that looks for a state without a
 * way on finds it. The report ends in one round of what still moves. The second
 * command asks for joins only: there is none, and that holds.
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t accounts = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static atomic_int heartbeat;

static void *transfer(void *unused) {
    pthread_mutex_lock(&accounts);
    pthread_mutex_lock(&journal);
    pthread_mutex_unlock(&journal);
    pthread_mutex_unlock(&accounts);
    return unused;
}

static void *audit(void *unused) {
    pthread_mutex_lock(&journal);
    pthread_mutex_lock(&accounts);
    pthread_mutex_unlock(&accounts);
    pthread_mutex_unlock(&journal);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, transfer, 0);
    pthread_create(&b, 0, audit, 0);
    for (;;)
        heartbeat ^= 1;
}
