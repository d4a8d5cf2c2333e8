// Lists of <sys/queue.h>, by their lengths.
// verdict: holds
// options: --thread drain --env 'add*'
// verdict: holds
// options: --thread walk --env 'add*'
// verdict: inconclusive
// options: --thread walk_unlocked --env 'add*'
// verdict: holds
// options: --thread walk_unlocked --env 'drain*'
// verdict: violated
// options: --thread drain_in_pieces --env 'add*'
// verdict: holds
// options: --thread drain_in_pieces --env 'drain*'
// verdict: violated
// options: --thread shift --env 'add*'
// verdict: holds
// options: --thread take_all --env 'add*'
#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>

struct item {
    int value;
    TAILQ_ENTRY(item) link;
};
TAILQ_HEAD(items, item) queue = TAILQ_HEAD_INITIALIZER(queue);
struct items done = TAILQ_HEAD_INITIALIZER(done);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void drain(void) {
    pthread_mutex_lock(&m);
    while (!TAILQ_EMPTY(&queue)) {
        struct item *i = TAILQ_FIRST(&queue);
        TAILQ_REMOVE(&queue, i, link);
        i->value = 0;
        free(i);
    }
    pthread_mutex_unlock(&m);
}

void walk(void) {
    struct item *i;
    pthread_mutex_lock(&m);
    TAILQ_FOREACH(i, &queue, link)
        i->value++;
    pthread_mutex_unlock(&m);
}

void walk_unlocked(void) {
    struct item *i;
    TAILQ_FOREACH(i, &queue, link)
        ;
}

void drain_in_pieces(void) {
    for (;;) {
        pthread_mutex_lock(&m);
        struct item *i = TAILQ_FIRST(&queue);
        if (i)
            TAILQ_REMOVE(&queue, i, link);
        pthread_mutex_unlock(&m);
        if (!i)
            break;
    }
}

// Takes one out and puts it back.
void shift(void) {
    pthread_mutex_lock(&m);
    while (!TAILQ_EMPTY(&queue)) {
        struct item *i = TAILQ_FIRST(&queue);
        TAILQ_REMOVE(&queue, i, link);
        TAILQ_INSERT_TAIL(&queue, i, link);
    }
    pthread_mutex_unlock(&m);
}

// The whole list becomes one of its own; elements are completed without the lock.
void take_all(void) {
    struct items mine = TAILQ_HEAD_INITIALIZER(mine);
    int count = 0;
    pthread_mutex_lock(&m);
    while (!TAILQ_EMPTY(&queue)) {
        struct item *i = TAILQ_FIRST(&queue);
        TAILQ_REMOVE(&queue, i, link);
        count++;
    }
    pthread_mutex_unlock(&m);
    while (count > 0)
        count--;
}

void add(void) {
    struct item *i = malloc(sizeof *i);
    pthread_mutex_lock(&m);
    TAILQ_INSERT_TAIL(&queue, i, link);
    pthread_mutex_unlock(&m);
}
