// Every thread makes a list of nodes on the heap, and frees it again.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 16
#endif
#ifndef OPERATIONS
#define OPERATIONS 4
#endif

struct node {
    struct node *next;
    atomic_int value;
};

static struct node *lists[THREADS];

static void *work(void *number) {
    long me = (long)number;
    for (int i = 0; i < OPERATIONS; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = lists[me];
        atomic_init(&node->value, i);
        lists[me] = node;
        atomic_fetch_add(&node->value, 1);
    }
    int sum = 0;
    while (lists[me]) {
        struct node *node = lists[me];
        sum += atomic_load(&node->value);
        lists[me] = node->next;
        free(node);
    }
    assert(sum == OPERATIONS * (OPERATIONS + 1) / 2);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
}
