// verdict: violated section
// states: 15
// The loop calls functions; what they look at is what it waits for.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int head, tail;

static int is_empty(void) { return head == tail; }

static void *consume(void *unused) {
    while (is_empty()) { //~ error
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, consume, 0);
    atomic_fetch_add(&head, 1);
    atomic_fetch_add(&tail, 1);
    for (;;) {
    }
}
