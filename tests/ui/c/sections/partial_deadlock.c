// verdict: violated section
// states: 191
// exeunt: --all --sections mutex-wait
// Two of three threads hold what the other one wants; the third works on.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ticks;

static void *left(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~ error
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *right(void *unused) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //~ error
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    for (;;)
        ticks ^= 1;
}
