// verdict: violated deadlock
/* A destructor takes a lock that its thread still holds. */
#include <pthread.h>
static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void last(void *value) {
    (void)value;
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
}
static void *work(void *a) {
    pthread_setspecific(key, &key);
    pthread_mutex_lock(&m);
    return a;
}
int main(void) {
    pthread_t t;
    pthread_key_create(&key, last);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
