// verdict: holds
// states: 14592
// Treiber's stack, strong compare-exchange: a failure means that the other one
// got through, and that cannot go on for ever.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct node {
    struct node *next;
};

static _Atomic(struct node *) top;
static struct node nodes[2];

EXEUNT_MUST_RETURN static void push(struct node *node) {
    struct node *seen = top;
    do
        node->next = seen;
    while (!atomic_compare_exchange_strong(&top, &seen, node));
}

EXEUNT_MUST_RETURN static struct node *pop(void) {
    struct node *seen = top;
    while (seen != NULL && !atomic_compare_exchange_strong(&top, &seen, seen->next)) {
    }
    return seen;
}

static void *use(void *node) {
    push(node);
    assert(pop() != NULL);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, &nodes[0]);
    pthread_create(&b, 0, use, &nodes[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(top == NULL);
    return 0;
}
