/* One condition for two purposes. A producer and two consumers share a buffer with one place; nobody may be left waiting. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int full;
static void *put(void *arg) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&c, &m);
        full = 1;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    return arg;
}
static void *take(void *arg) {
    pthread_mutex_lock(&m);
    while (!full)
        pthread_cond_wait(&c, &m);
    full = 0;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t, u, v;
    pthread_create(&t, 0, take, 0);
    pthread_create(&u, 0, take, 0);
    pthread_create(&v, 0, put, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    pthread_join(v, 0);
    return 0;
}
