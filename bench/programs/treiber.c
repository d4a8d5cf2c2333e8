// Treiber's stack: each of THREADS threads pushes its own node and pops one,
// ROUNDS times. A node popped is owned by who popped it.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

struct node {
    struct node *next;
};

static _Atomic(struct node *) top;
static struct node nodes[THREADS][ROUNDS];

EXEUNT_MUST_RETURN static void push(struct node *node) {
    struct node *seen = atomic_load(&top);
    do
        node->next = seen;
    while (!atomic_compare_exchange_strong(&top, &seen, node));
}

EXEUNT_MUST_RETURN static struct node *pop(void) {
    struct node *seen = atomic_load(&top);
    while (seen != NULL && !atomic_compare_exchange_strong(&top, &seen, seen->next)) {
    }
    return seen;
}

static void *use(void *who) {
    for (int i = 0; i < ROUNDS; i++) {
        push(&nodes[(long)who][i]);
        assert(pop() != NULL);
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, use, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(top == NULL);
    return 0;
}
