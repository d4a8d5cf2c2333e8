// verdict: violated section
// states: 26
// exeunt: --all
// The owner leaves the thread by pthread_exit with the mutex in hand; main
// looks from time to time and never gets it, without ever blocking.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex); //~ error
    pthread_exit(unused);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    for (;;)
        if (pthread_mutex_trylock(&mutex) == 0)
            pthread_mutex_unlock(&mutex);
}
