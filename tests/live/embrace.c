/* Two threads take two locks in opposite order, again and again (Cooperman and
 * Quinson, 2020, listing 1). */
#include <pthread.h>
static pthread_mutex_t mutex1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t mutex2 = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *arg) {
    while (1) {
        pthread_mutex_lock(&mutex2);
        pthread_mutex_lock(&mutex1);
        pthread_mutex_unlock(&mutex1);
        pthread_mutex_unlock(&mutex2);
    }
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    while (1) {
        pthread_mutex_lock(&mutex1);
        pthread_mutex_lock(&mutex2);
        pthread_mutex_unlock(&mutex2);
        pthread_mutex_unlock(&mutex1);
    }
}
