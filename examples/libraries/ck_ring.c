// The ring of Concurrency Kit (package libck-dev) between one producer and one consumer.
// BUG: two producers use the function that is for one.
#include <assert.h>
#include <ck_ring.h>
#include <pthread.h>

static ck_ring_t ring;
static ck_ring_buffer_t slots[4];
static int items[] = {1, 2};

static void *produce(void *item) { ck_ring_enqueue_spsc(&ring, slots, item); return 0; }

int main(void) {
    pthread_t t;
    int *got, sum = 0;
    ck_ring_init(&ring, 4);
    pthread_create(&t, 0, produce, &items[0]);
#ifndef BUG
    if (ck_ring_dequeue_spsc(&ring, slots, &got)) sum += *got;
    pthread_join(t, 0);
#endif
    produce(&items[1]);
#ifdef BUG
    pthread_join(t, 0);
#endif
    while (ck_ring_dequeue_spsc(&ring, slots, &got)) sum += *got;
    assert(sum == 3);
}
