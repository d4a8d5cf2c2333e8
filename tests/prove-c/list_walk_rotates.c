// A walk that moves each element to the end of the list meets it again.
// verdict: violated
// options: --thread rotate --env 'add*'
// verdict: violated
// options: --thread add_for_ever --env ''
#include <pthread.h>
#include <stdlib.h>
#include <sys/queue.h>

struct item {
    TAILQ_ENTRY(item) link;
};
TAILQ_HEAD(items, item) queue = TAILQ_HEAD_INITIALIZER(queue);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void rotate(void) {
    struct item *i;
    pthread_mutex_lock(&m);
    TAILQ_FOREACH(i, &queue, link) {
        TAILQ_REMOVE(&queue, i, link);
        TAILQ_INSERT_TAIL(&queue, i, link);
    }
    pthread_mutex_unlock(&m);
}

void add_for_ever(void) {
    for (;;) {
        struct item *i = malloc(sizeof *i);
        TAILQ_INSERT_TAIL(&queue, i, link);
    }
}

void add(void) {
    struct item *i = malloc(sizeof *i);
    pthread_mutex_lock(&m);
    TAILQ_INSERT_TAIL(&queue, i, link);
    pthread_mutex_unlock(&m);
}
