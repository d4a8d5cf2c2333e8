// A lock-free stack of nodes from a fixed pool. BUG 1: the head is set without a comparison. BUG 2: nodes come again
// at once (ABA). BUG 3: a node is linked after it was published.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif
#define NODES (THREADS + 1)

static struct {
    atomic_int next;
    atomic_int owner;
} nodes[NODES + 1];
#if BUG == 2
typedef int word;
#define NUMBER(w) (w)
#define MAKE(old, number) (number)
#else
typedef long word;
#define NUMBER(w) ((int)((w) & 0xff))
#define MAKE(old, number) ((((old) >> 8) + 1) << 8 | (number))
#endif
static _Atomic word head;

static void push(int node) {
    word old = head;
#if BUG == 3
    while (!atomic_compare_exchange_strong(&head, &old, MAKE(old, node)))
        ;
    nodes[node].next = NUMBER(old);
#elif BUG == 1
    nodes[node].next = NUMBER(old);
    head = MAKE(old, node);
#else
    do {
        nodes[node].next = NUMBER(old);
    } while (!atomic_compare_exchange_strong(&head, &old, MAKE(old, node)));
#endif
}

static int pop(void) {
    word old = head;
    while (NUMBER(old) != 0) {
        int next = nodes[NUMBER(old)].next;
        if (atomic_compare_exchange_strong(&head, &old, MAKE(old, next)))
            return NUMBER(old);
    }
    return 0;
}

static void *work(void *argument) {
    int me = (int)(long)argument + 1;
    for (int i = 0; i < ROUNDS; i++) {
        int one = pop(), two = pop();
        if (one != 0)
            assert(atomic_exchange(&nodes[one].owner, me) == 0);
        if (two != 0)
            assert(atomic_exchange(&nodes[two].owner, me) == 0);
        if (one != 0) {
            nodes[one].owner = 0;
            push(one);
        }
        if (two != 0) {
            nodes[two].owner = 0;
            push(two);
        }
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 1; i <= NODES; i++)
        push(i);
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
