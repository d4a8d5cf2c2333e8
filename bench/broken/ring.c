// A ring for one producer and one consumer, and others that count what they do. BUG 1: the item is
// published before it is written. BUG 2: the ring is taken for empty when it is full. BUG 3: two
// threads produce. BUG 4: the consumer gives its place back before it has read it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ITEMS
#define ITEMS 8
#endif
#ifndef OTHERS
#define OTHERS 3
#endif
#define ROOM 4

static int slots[ROOM];
static atomic_uint head, tail, noise;

static int push(int item) {
    unsigned at = tail;
#if BUG == 2
    if (at - head > ROOM)
        return 0;
#else
    if (at - head == ROOM)
        return 0;
#endif
#if BUG == 1
    tail = at + 1;
    slots[at % ROOM] = item;
#else
    slots[at % ROOM] = item;
    tail = at + 1;
#endif
    return 1;
}

static int pop(int *item) {
    unsigned at = head;
    if (at == tail)
        return 0;
#if BUG == 4
    head = at + 1;
    *item = slots[at % ROOM];
#else
    *item = slots[at % ROOM];
    head = at + 1;
#endif
    return 1;
}

static void *produce(void *argument) {
    for (int i = 1; i <= ITEMS; i++)
        while (!push(i))
            ;
    return 0;
}

static void *consume(void *argument) {
    int last = 0, item = 0;
    for (int i = 1; i <= ITEMS; i++) {
        while (!pop(&item))
            ;
        assert(item == last + 1);
        last = item;
    }
    return 0;
}

static void *count(void *argument) {
    for (int i = 0; i < 3; i++)
        atomic_fetch_xor(&noise, 1u << i);
    return 0;
}

int main(void) {
    pthread_t threads[3 + OTHERS];
    int used = 0;
    pthread_create(&threads[used++], 0, produce, 0);
#if BUG == 3
    pthread_create(&threads[used++], 0, produce, 0);
#endif
    pthread_create(&threads[used++], 0, consume, 0);
    for (int i = 0; i < OTHERS; i++)
        pthread_create(&threads[used++], 0, count, 0);
    for (int i = 0; i < used; i++)
        pthread_join(threads[i], 0);
    return 0;
}
