// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* The same with a broadcast. */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int full;
static void *put(void *arg) {
    pthread_mutex_lock(&m);
    while (full) pthread_cond_wait(&c, &m);
    full = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *get(void *arg) {
    pthread_mutex_lock(&m);
    while (!full) pthread_cond_wait(&c, &m);
    full = 0;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, i < 2 ? get : put, 0);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    return 0;
}
