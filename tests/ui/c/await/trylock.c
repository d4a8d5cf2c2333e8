// verdict: violated section
// states: 16
// exeunt: --all
// A trylock that always fails: the mutex is held by a thread that runs on.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused) {
    pthread_mutex_lock(&mutex); //~ error
    for (;;) {
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, hold, 0);
    while (pthread_mutex_trylock(&mutex)) { //~ error
    }
    pthread_mutex_unlock(&mutex);
}
