// verdict: violated assertion
// states: 205
// exeunt: --shortest
// A shortest schedule is told in the same steps as any other.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *add(void *unused) {
    pthread_mutex_lock(&m);
    int old = shared;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    shared = old + 1;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, add, 0);
    pthread_create(&u, 0, add, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(shared == 2); //~ error
    return 0;
}
