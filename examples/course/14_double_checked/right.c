/* Initialisation that is checked twice. A value is made once, by whoever comes first; readers do not lock. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;
static int *_Atomic made;
static void *work(void *arg) {
    int *mine = atomic_load_explicit(&made, memory_order_acquire);
    if (!mine) {
        pthread_mutex_lock(&m);
        mine = made;
        if (!mine) {
            value = 7;
            atomic_store_explicit(&made, mine = &value, memory_order_release);
        }
        pthread_mutex_unlock(&m);
    }
    assert(*mine == 7);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
