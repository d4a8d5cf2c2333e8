// Michael and Scott's queue: each of THREADS threads appends one element and takes
// TAKES times, from an empty queue too. BROKEN: nobody helps a tail that has fallen behind, and its owner forgets
// it now and then, so that appending can spin for ever.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef TAKES
#define TAKES 1
#endif

struct node {
    int value;
    _Atomic(struct node *) next;
};

static struct node dummy, nodes[THREADS];
static _Atomic(struct node *) head = &dummy, tail = &dummy;

EXEUNT_MUST_RETURN static void append(struct node *node) {
    for (;;) {
        struct node *last = tail, *next = last->next;
        if (next != NULL) {
#ifndef BROKEN
            atomic_compare_exchange_strong(&tail, &last, next);
#endif
            continue;
        }
        if (atomic_compare_exchange_strong(&last->next, &next, node)) {
#ifdef BROKEN
            if (node == &nodes[THREADS - 1])
                return;
#endif
            atomic_compare_exchange_strong(&tail, &last, node);
            return;
        }
    }
}

EXEUNT_MUST_RETURN static int take(void) {
    for (;;) {
        struct node *first = head, *last = tail, *next = first->next;
        if (next == NULL)
            return 0;
        if (first == last) {
#ifndef BROKEN
            atomic_compare_exchange_strong(&tail, &last, next);
#else
            return 0;
#endif
            continue;
        }
        if (atomic_compare_exchange_strong(&head, &first, next))
            return next->value;
    }
}

static int taken[THREADS];

static void *use(void *who) {
    long me = (long)who;
    append(&nodes[me]);
    for (int i = 0; i < TAKES; i++)
        taken[me] += take();
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++) {
        nodes[i].value = 1 << i;
        pthread_create(&threads[i], 0, use, (void *)i);
    }
    int all = 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
        all += taken[i];
    }
#ifndef BROKEN
    assert(all == (1 << THREADS) - 1);
#endif
    return 0;
}
