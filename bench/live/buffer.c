/* A buffer with one place: ITEMS items from a producer to a consumer. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full, value;
static void *produce(void *arg) {
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (full) pthread_cond_wait(&changed, &m);
        value = i;
        full = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, produce, 0);
    for (int i = 0; i < ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (!full) pthread_cond_wait(&changed, &m);
        assert(value == i);
        full = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
    pthread_join(t, 0);
    return 0;
}
