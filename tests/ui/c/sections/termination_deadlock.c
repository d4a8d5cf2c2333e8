// verdict: violated deadlock
// states: 2
// exeunt: --property termination
// A deadlock is no end.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); //~ error
    return 0;
}
