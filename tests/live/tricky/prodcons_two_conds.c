// verdict: holds
/* Two condition variables, one slot, one producer and two consumers. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int full;
static void *consume(void *a) {
    pthread_mutex_lock(&m);
    while (!full) pthread_cond_wait(&filled, &m);
    full = 0;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&m);
    return a;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, consume, 0);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        while (full) pthread_cond_wait(&emptied, &m);
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&m);
    }
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
