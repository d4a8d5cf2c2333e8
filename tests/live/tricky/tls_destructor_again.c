// verdict: holds
/* A destructor sets its key again: it runs again, and others see what it does. */
#include <assert.h>
#include <pthread.h>
static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int runs;
static void again(void *value) {
    pthread_mutex_lock(&m);
    runs++;
    pthread_mutex_unlock(&m);
    long left = (long)value - 1;
    if (left > 0) pthread_setspecific(key, (void *)left);
}
static void *work(void *a) {
    pthread_setspecific(key, (void *)3);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_key_create(&key, again);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    assert(runs == 3);
    return 0;
}
