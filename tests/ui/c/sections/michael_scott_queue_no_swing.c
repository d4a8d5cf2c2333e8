// verdict: violated section
// states: 83
// exeunt: --sections function
// Michael and Scott's queue in which nobody moves the tail: the second
// element finds no place.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node dummy, nodes[2];
static _Atomic(struct node *) tail = &dummy;

EXEUNT_MUST_RETURN static void enqueue(struct node *node) {
    for (;;) {
        struct node *last = tail, *next = last->next;
        if (next != NULL) {
            /* somebody else will move the tail */
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
            /* the tail stays where it is */
            return;
        }
    }
}

static void *producer(void *node) {
    enqueue(node); //~ error
    return 0;
}

int main(void) {
    pthread_t a, b;
    nodes[0].value = 1;
    nodes[1].value = 2;
    pthread_create(&a, 0, producer, &nodes[0]);
    pthread_create(&b, 0, producer, &nodes[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
