// verdict: holds
// states: 34
// The destructor of a key runs when its thread ends.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static volatile int destroyed;

static void destroy(void *value) {
    assert(value == (void *)3);
    destroyed = 1;
}

static void *work(void *unused) {
    pthread_setspecific(key, (void *)3);
    assert(pthread_getspecific(key) == (void *)3);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(destroyed);
    return 0;
}
