// verdict: holds
// states: 24
// Štill and Barnat, Fig. 5: one section within another, both left, by two threads
// that never end.
#include <pthread.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;

static void *nested(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m1);
        pthread_mutex_lock(&m2);
        pthread_mutex_unlock(&m2);
        pthread_mutex_unlock(&m1);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, nested, 0);
    nested(0);
}
