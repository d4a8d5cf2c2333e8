// verdict: holds
// states: 217
// It is enough that one of the two gives back.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *stubborn(void *unused) {
    pthread_mutex_lock(&a);
    while (pthread_mutex_trylock(&b) != 0) {
    }
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *polite(void *unused) {
    for (;;) {
        pthread_mutex_lock(&b);
        if (pthread_mutex_trylock(&a) == 0)
            break;
        pthread_mutex_unlock(&b);
    }
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, stubborn, 0);
    pthread_create(&r, 0, polite, 0);
    pthread_join(l, 0);
    pthread_join(r, 0);
    return 0;
}
