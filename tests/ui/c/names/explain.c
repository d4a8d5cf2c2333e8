// verdict: violated deadlock
// states: 25
// exeunt: --explain
// Who waits for whom, in words.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *left(void *unused) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); //~ error
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, left, 0);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //~ error
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(t, 0);
    return 0;
}
