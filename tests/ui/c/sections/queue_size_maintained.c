// verdict: holds
// states: 1907
// The same queue with a reader that always counts down. Neither thread ever
// ends, and every wait does.
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
            size++;
            slots[at] = 1;
            at = (at + 1) % SLOTS;
        }
    }
    return unused;
}

int main(void) {
    pthread_t writer;
    pthread_create(&writer, 0, write_items, 0);
    for (unsigned at = 0;; at = (at + 1) % SLOTS) {
        exeunt_wait_begin("an item");
        while (slots[at] == 0) {
        }
        exeunt_wait_end("an item");
        slots[at] = 0;
        size--;
    }
}
