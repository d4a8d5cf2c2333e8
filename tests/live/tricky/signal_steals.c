// verdict: violated assertion
/* A thread that never waited may take what was signalled. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int items;
static void *consume(void *a) {
    pthread_mutex_lock(&m);
    if (items == 0) pthread_cond_wait(&c, &m);
    assert(items > 0);
    items--;
    pthread_mutex_unlock(&m);
    return a;
}
static void *produce(void *a) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        items++;
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    }
    return a;
}
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, consume, 0);
    pthread_create(&t[1], 0, consume, 0);
    pthread_create(&t[2], 0, produce, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
