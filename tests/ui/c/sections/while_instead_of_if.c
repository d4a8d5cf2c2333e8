// verdict: holds
// states: 404
// The same with a second look: one consumer gets the item, main sees zero and
// ends the program, and with it the other consumer's wait.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int items, left = 1;

static void *consume(void *unused) {
    pthread_mutex_lock(&mutex);
    while (items == 0)
        pthread_cond_wait(&filled, &mutex);
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
        pthread_cond_wait(&done, &mutex);
    pthread_mutex_unlock(&mutex);
    return 0;
}
