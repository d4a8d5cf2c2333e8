// verdict: holds
/* A condition variable is destroyed and made again between rounds. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c;
static int ready;
static void *work(void *a) {
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return a;
}
int main(void) {
    for (int i = 0; i < 2; i++) {
        pthread_t t;
        pthread_cond_init(&c, 0);
        ready = 0;
        pthread_create(&t, 0, work, 0);
        pthread_mutex_lock(&m);
        while (!ready) pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
        pthread_join(t, 0);
        pthread_cond_destroy(&c);
    }
    return 0;
}
