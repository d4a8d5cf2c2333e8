// verdict: violated assertion
// states: 1487
// The ABA problem: a lock-free stack whose nodes come from malloc. One thread
// is about to replace the top A by its successor B; meanwhile the other one
// takes A and B, frees A, gets its address again and pushes it. The exchange
// succeeds, and B, which was taken, is on the stack again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *_Atomic next;
    _Atomic int taken;
};
struct node *_Atomic top;
struct node a_node_that_stays;

void push(struct node *node) {
    struct node *old = top;
    do
        node->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, node));
}

/* Nodes are only freed by the thread below, after the other one has read what
 * it needs: reading freed memory is another error than the one shown here. */
_Atomic int has_read;

void *pop_two_push_one(void *arg) {
    struct node *a = top;
    if (!has_read)
        return arg;
    struct node *b = a->next;
    if (!b)
        return arg;
    if (!atomic_compare_exchange_strong(&top, &a, b))
        return arg;
    if (!atomic_compare_exchange_strong(&top, &b, 0))
        return arg;
    b->taken = 1;
    free(a);
    struct node *again = malloc(sizeof *again);
    again->taken = 0;
    push(again);
    return arg;
}

int main(void) {
    push(&a_node_that_stays);
    struct node *first = malloc(sizeof *first);
    first->taken = 0;
    push(first);
    pthread_t thread;
    pthread_create(&thread, 0, pop_two_push_one, 0);
    struct node *old = top;
    struct node *next = old->next;
    has_read = 1;
    if (atomic_compare_exchange_strong(&top, &old, next))
        assert(next->taken == 0); //~ error
    pthread_join(thread, 0);
}
// optimised
