// verdict: violated deadlock
// states: 2
// exeunt: --property safety
// A state in which nothing can move is found by a safety check, too.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); //~ error
    return 0;
}
