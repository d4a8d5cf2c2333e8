#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int item, full, sum;

static void *produce(void *unused) {
    (void)unused;
    for (int i = 1; i <= ITEMS; i++) {
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
    pthread_t producers[PRODUCERS];
    for (int i = 0; i < PRODUCERS; i++)
        pthread_create(&producers[i], 0, produce, 0);
    for (int i = 0; i < PRODUCERS * ITEMS; i++) {
        pthread_mutex_lock(&m);
        while (!full)
            pthread_cond_wait(&filled, &m);
        sum += item;
        full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&m);
    }
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(producers[i], 0);
    assert(sum == PRODUCERS * ITEMS * (ITEMS + 1) / 2);
}
