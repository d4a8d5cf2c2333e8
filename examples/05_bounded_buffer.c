/* A bounded buffer: two producers, two consumers, room for one item.
 *
 *     exeunt check examples/05_bounded_buffer.c
 *     exeunt check examples/05_bounded_buffer.c -- -DONE_CONDITION
 *
 * With one condition for "not full" and one for "not empty" it holds. With one
 * condition for both (-DONE_CONDITION) a signal that is meant for a consumer
 * can wake a producer, which finds the buffer full and goes back to sleep; the
 * consumer sleeps on, and in the end everybody does.
 */
#include <pthread.h>

#ifdef ONE_CONDITION
#define NOT_FULL changed
#define NOT_EMPTY changed
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
#else
#define NOT_FULL not_full
#define NOT_EMPTY not_empty
static pthread_cond_t not_full = PTHREAD_COND_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int items;

static void *produce(void *unused) {
    pthread_mutex_lock(&mutex);
    while (items == 1)
        pthread_cond_wait(&NOT_FULL, &mutex);
    items++;
    pthread_cond_signal(&NOT_EMPTY);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *consume(void *unused) {
    pthread_mutex_lock(&mutex);
    while (items == 0)
        pthread_cond_wait(&NOT_EMPTY, &mutex);
    items--;
    pthread_cond_signal(&NOT_FULL);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t producers[2], consumer;
    pthread_create(&producers[0], 0, produce, 0);
    pthread_create(&producers[1], 0, produce, 0);
    pthread_create(&consumer, 0, consume, 0);
    consume(0);
    pthread_join(consumer, 0);
    pthread_join(producers[0], 0);
    pthread_join(producers[1], 0);
    return 0;
}
