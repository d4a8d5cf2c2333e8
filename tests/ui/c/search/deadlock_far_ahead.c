// verdict: violated deadlock
// reductions: global tau movers
// Two threads count for long and then take two locks in opposite orders: threads that
// take turns are interrupted where they come to a lock for the first time.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int count;

static void *one(void *arg) {
    for (int i = 0; i < 20000; i++)
        count++;
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *two(void *arg) {
    for (int i = 0; i < 20000; i++)
        count++;
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0);
    pthread_create(&u, 0, two, 0);
    pthread_join(t, 0); //~ error
    pthread_join(u, 0);
}
