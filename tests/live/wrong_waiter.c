/* Two kinds of waiters share a condition variable; a signal may reach the
 * wrong one. FIXED: broadcast. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int turn;
static void *even(void *arg) {
    pthread_mutex_lock(&m);
    while (turn != 2) pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *odd(void *arg) {
    pthread_mutex_lock(&m);
    while (turn != 1) pthread_cond_wait(&c, &m);
    turn = 2;
#ifdef FIXED
    pthread_cond_broadcast(&c);
#else
    pthread_cond_signal(&c);
#endif
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, even, 0);
    pthread_create(&b, 0, odd, 0);
    pthread_mutex_lock(&m);
    turn = 1;
#ifdef FIXED
    pthread_cond_broadcast(&c);
#else
    pthread_cond_signal(&c);
#endif
    pthread_mutex_unlock(&m);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
