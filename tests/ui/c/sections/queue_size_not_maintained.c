// verdict: violated section
// states: 6221
// exeunt: --all
// The bug that Štill and Barnat found in a test of a lock-free queue: the writer keeps
// the queue short by a counter of its size, and the reader does not count down
// on every path. In the end the writer believes that the queue is full, and
// the reader waits for ever on an empty one.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

#define BOUND 2
#define SLOTS 4

static atomic_int slots[SLOTS];
static atomic_int size;

static void *write_items(void *unused) {
    for (unsigned at = 0;;) {
        if (size < BOUND) {
            slots[at] = 1;
            at = (at + 1) % SLOTS;
            size++;
        }
    }
    return unused;
}

int main(void) {
    pthread_t writer;
    pthread_create(&writer, 0, write_items, 0);
    for (unsigned at = 0;; at = (at + 1) % SLOTS) {
        exeunt_wait_begin("an item"); //~ error
        int spins = 0;
        while (slots[at] == 0)
            spins = 1;
        exeunt_wait_end("an item");
        slots[at] = 0;
        if (spins == 0)
            size--;
    }
}
