/* A lost wake-up: the flag is set and signalled without the mutex.
 *
 *     exeunt check examples/04_lost_wakeup.c
 *
 * Main looks at the flag, finds it down and is about to wait. Just then the
 * other thread raises the flag and signals, and nobody is there to hear it.
 * POSIX lets a wait return for no reason at all, and Exeunt tries that, too;
 * but a wait that only such an accident can end is a wait without end.
 * To repair it, raise the flag with the mutex held.
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t raised = PTHREAD_COND_INITIALIZER;
static atomic_bool flag;

static void *raise_flag(void *unused) {
    flag = 1;
    pthread_cond_signal(&raised);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, raise_flag, 0);
    pthread_mutex_lock(&mutex);
    while (!flag)
        pthread_cond_wait(&raised, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, 0);
    return 0;
}
