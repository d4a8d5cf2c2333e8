// verdict: violated section
// states: 311
// exeunt: --sections function
// A slot with a zero counts as empty, so a zero that is pushed is never seen:
// the consumer waits for it, and then the producer for room.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2

static atomic_int ring[SIZE];

EXEUNT_MUST_RETURN static void push(unsigned at, int value) {
    while (ring[at] != 0) {
    }
    ring[at] = value;
}

EXEUNT_MUST_RETURN static int pop(unsigned at) {
    int value;
    while ((value = ring[at]) == 0) {
    }
    ring[at] = 0;
    return value;
}

static void *produce(void *unused) {
    for (unsigned i = 0;; i = (i + 1) % SIZE)
        push(i, 1 - (int)i); //~ error
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    for (unsigned i = 0;; i = (i + 1) % SIZE)
        pop(i); //~ error
}
