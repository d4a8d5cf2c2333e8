// verdict: holds
// states: 343
// Each gives its lock back before it tries again. They can dance for ever, but
// at every point one of them can still get both.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
    for (;;) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
        pthread_mutex_unlock(first);
    }
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
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    pthread_join(l, 0);
    pthread_join(r, 0);
    return 0;
}
