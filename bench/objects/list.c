// Threads that change the first and the last node of a list, which may be long.
#include <pthread.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 4
#endif
#ifndef ROUNDS
#define ROUNDS 6
#endif
#ifndef NODES
#define NODES 8
#endif

struct node {
    struct node *next;
    unsigned value;
};

static struct node *first, *last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument) {
    unsigned me = (unsigned)(long)argument;
    for (unsigned round = 0; round < ROUNDS; round++) {
        pthread_mutex_lock(&lock);
        struct node *node = (me + round) % 2 ? first : last;
        node->value = (node->value + me + 1) % 4;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < NODES; i++) {
        struct node *node = calloc(1, sizeof *node);
        node->next = first;
        if (!first) {
            last = node;
        }
        first = node;
    }
    for (long i = 0; i < THREADS; i++) {
        pthread_create(&threads[i], 0, work, (void *)i);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], 0);
    }
    return 0;
}
