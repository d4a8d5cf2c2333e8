// verdict: violated deadlock
// states: 298
// exeunt: --no-spurious
// A consumer that does not look again takes an item that another one has
// already taken; the count of what is left jumps over zero, and main waits for
// a zero that never comes.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int items, left = 1;

static void *consume(void *unused) {
    pthread_mutex_lock(&mutex);
    if (items == 0)
        pthread_cond_wait(&filled, &mutex); //~ error
    items--;
    left--;
    pthread_cond_signal(&done);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, consume, 0);
    pthread_create(&b, 0, consume, 0);
    pthread_mutex_lock(&mutex);
    items++;
    pthread_cond_signal(&filled);
    while (left != 0)
        pthread_cond_wait(&done, &mutex); //~ error
    pthread_mutex_unlock(&mutex);
    return 0;
}
