/* THREADS threads take one lock ROUNDS times, or each its own. */
#include <pthread.h>
static pthread_mutex_t m[THREADS];
static void *work(void *arg) {
#ifdef OWN
    pthread_mutex_t *mine = &m[(long)arg];
#else
    pthread_mutex_t *mine = &m[0];
    (void)arg;
#endif
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(mine);
        pthread_mutex_unlock(mine);
    }
    return 0;
}
int main(void) {
    pthread_t t[THREADS];
    for (int i = 0; i < THREADS; i++) pthread_mutex_init(&m[i], 0);
    for (long i = 0; i < THREADS; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(t[i], 0);
    return 0;
}
