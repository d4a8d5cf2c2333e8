/* Initialisation that is checked twice. A value is made once, by whoever comes first; readers do not lock. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int value;
static int *made;
static void *work(void *arg) {
    if (!made) {
        pthread_mutex_lock(&m);
        if (!made) {
            value = 7;
            made = &value;
        }
        pthread_mutex_unlock(&m);
    }
    assert(*made == 7);
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
