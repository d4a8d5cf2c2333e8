// verdict: holds
// states: 173
// The same with one order for both.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ticks;

static void *both(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, both, 0);
    pthread_create(&r, 0, both, 0);
    for (;;)
        ticks ^= 1;
}
