// verdict: holds
// states: 9
// exeunt: --sections mutex-wait,critical
// Only the kinds asked for must end: the join is not one of them.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *endless(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, endless, 0);
    pthread_join(thread, 0);
    return 0;
}
