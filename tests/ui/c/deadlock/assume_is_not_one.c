// verdict: holds
// states: 4
// A path that an assumption drops is neither an end nor a deadlock.
#include <exeunt.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_lock(&mutex);
    exeunt_assume(pthread_mutex_trylock(&mutex) == 0);
    return 0;
}
