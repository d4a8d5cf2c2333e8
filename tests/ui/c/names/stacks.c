// verdict: violated deadlock
// states: 102
// exeunt: --stacks
// A wait inside a wrapper says who called it.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *m) {
    pthread_mutex_lock(m); //~ error
}

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    take(first);
    take(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *left(void *unused) {
    both(&a, &b);
    return unused;
}

static void *right(void *unused) {
    both(&b, &a);
    return unused;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, left, 0);
    pthread_create(&u, 0, right, 0);
    pthread_join(t, 0); //~ error
    pthread_join(u, 0);
    return 0;
}
