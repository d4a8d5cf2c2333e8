// verdict: violated deadlock
// states: 157
// exeunt: --no-spurious
// One signal, two waiters.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int open;

static void *enter(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!open)
        pthread_cond_wait(&opened, &mutex); //~ error
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enter, 0);
    pthread_create(&b, 0, enter, 0);
    pthread_mutex_lock(&mutex);
    open = 1;
    pthread_cond_signal(&opened);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, 0); //~ error
    pthread_join(b, 0); //~ error
    return 0;
}
