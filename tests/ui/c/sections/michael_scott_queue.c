// verdict: holds
// states: 14233
// Michael and Scott's queue: whoever finds the tail behind helps it on.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node dummy, nodes[2];
static _Atomic(struct node *) head = &dummy, tail = &dummy;

EXEUNT_MUST_RETURN static void enqueue(struct node *node) {
    for (;;) {
        struct node *last = tail, *next = last->next;
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

EXEUNT_MUST_RETURN static int dequeue(void) {
    for (;;) {
        struct node *first = head, *last = tail, *next = first->next;
        if (next == NULL)
            return -1;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        if (atomic_compare_exchange_strong(&head, &first, next))
            return next->value;
    }
}

static void *producer(void *node) {
    enqueue(node);
    return 0;
}

int main(void) {
    pthread_t thread;
    nodes[0].value = 1;
    nodes[1].value = 2;
    pthread_create(&thread, 0, producer, &nodes[0]);
    enqueue(&nodes[1]);
    int first = dequeue();
    pthread_join(thread, 0);
    int second = dequeue();
    exeunt_assert(first + second == 3, "both elements, each once");
    return 0;
}
