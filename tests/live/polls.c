/* A thread polls a mutex that the main thread never gives back.
 * COUNTS: every state is a new one. TWO: two threads poll. STOPS: it gives up. */
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int tries;
static void *work(void *arg) {
    while (pthread_mutex_trylock(&mutex)) {
#if defined COUNTS || defined STOPS
        tries++;
#endif
#ifdef STOPS
        if (tries > 100) break;
#endif
    }
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_mutex_lock(&mutex);
    pthread_create(&t, 0, work, 0);
#ifdef TWO
    pthread_create(&u, 0, work, 0);
    pthread_join(u, 0);
#endif
    pthread_join(t, 0);
    return (int)sizeof u - (int)sizeof t;
}
