#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int item, full, sum;

static void *produce(void *unused) {
    (void)unused;
    for (int i = 1; i <= 3; i++) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&emptied, &m);
        item = i;
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    for (int i = 1; i <= 3; i++) {
        pthread_mutex_lock(&m);
        while (!full)
            pthread_cond_wait(&filled, &m);
        sum += item;
        full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&m);
    }
    pthread_join(producer, 0);
    assert(sum == 6);
}
