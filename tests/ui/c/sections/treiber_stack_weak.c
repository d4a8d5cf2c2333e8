// verdict: violated section
// states: 166
// exeunt: --weak-failures demonic
// The same stack with the weak compare-exchange. That may fail although the
// values are equal, and how often is for the machine to say: a retry loop
// around nothing else has no end that the program can count on.
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
    while (!atomic_compare_exchange_weak(&top, &seen, node));
}

EXEUNT_MUST_RETURN static struct node *pop(void) {
    struct node *seen = top;
    while (seen != NULL && !atomic_compare_exchange_weak(&top, &seen, seen->next)) {
    }
    return seen;
}

static void *use(void *node) {
    push(node); //~ error
    assert(pop() != NULL); //~ error
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, &nodes[0]);
    pthread_create(&b, 0, use, &nodes[1]);
    pthread_join(a, 0); //~ error
    pthread_join(b, 0); //~ error
    assert(top == NULL);
    return 0;
}
