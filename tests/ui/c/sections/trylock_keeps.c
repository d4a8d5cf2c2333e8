// verdict: violated section
// states: 189
// exeunt: --all
// Each keeps its own lock and tries for the other's: both move, for ever, and
// neither comes out.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *left(void *unused) {
    pthread_mutex_lock(&a); //~ error
    while (pthread_mutex_trylock(&b) != 0) { //~ error
    }
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *right(void *unused) {
    pthread_mutex_lock(&b); //~ error
    while (pthread_mutex_trylock(&a) != 0) { //~ error
    }
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, 0, left, 0);
    pthread_create(&r, 0, right, 0);
    pthread_join(l, 0); //~ error
    pthread_join(r, 0);
    return 0;
}
