// ck_fifo_spsc of Concurrency Kit (package libck-dev): one producer and one consumer.
// BUG: two producers without a lock.
#include <assert.h>
#include <ck_fifo.h>
#include <pthread.h>
#include <stdlib.h>

static ck_fifo_spsc_t fifo;
static int items[2] = {1, 2};

static void put(int *item) {
    ck_fifo_spsc_enqueue(&fifo, malloc(sizeof(ck_fifo_spsc_entry_t)), item);
}

static void *produce(void *item) { put(item); return NULL; }

int main(void) {
    ck_fifo_spsc_init(&fifo, malloc(sizeof(ck_fifo_spsc_entry_t)));
    pthread_t t;
    pthread_create(&t, NULL, produce, &items[0]);
#ifdef BUG
    put(&items[1]);
#endif
    pthread_join(t, NULL);
#ifndef BUG
    put(&items[1]);
#endif
    int sum = 0;
    int *item;
    while (ck_fifo_spsc_dequeue(&fifo, &item)) sum += *item;
    assert(sum == 3);
}
