// verdict: holds
// states: 684
// A single producer and a single consumer that wait for each other by looking:
// every push and every pop comes to its end.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

static int ring[SIZE];
static atomic_uint head, tail;

EXEUNT_MUST_RETURN static void push(int value) {
    unsigned at = tail;
    while ((at + 1) % SIZE == head) {
    }
    ring[at] = value;
    tail = (at + 1) % SIZE;
}

EXEUNT_MUST_RETURN static int pop(void) {
    unsigned at = head;
    while (at == tail) {
    }
    int value = ring[at];
    head = (at + 1) % SIZE;
    return value;
}

static void *produce(void *unused) {
    for (;;) {
        push(1);
        push(0);
    }
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    for (;;) {
        assert(pop() == 1);
        assert(pop() == 0);
    }
}
