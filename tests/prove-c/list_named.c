// Lists by functions that the command line names.
// verdict: holds
// options: --thread drain --env 'put*' --list-push enqueue --list-pop dequeue
// verdict: violated
// options: --thread drain_unlocked --env 'put*' --list-push enqueue --list-pop dequeue
// verdict: holds
// options: --thread drain_by_asking --env 'put*' --list-push enqueue --list-pop dequeue --list-empty is_empty
#include <pthread.h>
struct queue;
struct job;
void enqueue(struct queue *, struct job *);
struct job *dequeue(struct queue *);
int is_empty(struct queue *);
struct queue {
    struct job *first, *last;
} jobs;
struct job {
    struct job *next;
} one;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void drain(void) {
    pthread_mutex_lock(&m);
    while (dequeue(&jobs))
        ;
    pthread_mutex_unlock(&m);
}

void drain_unlocked(void) {
    while (dequeue(&jobs))
        ;
}

void drain_by_asking(void) {
    pthread_mutex_lock(&m);
    while (!is_empty(&jobs))
        dequeue(&jobs);
    pthread_mutex_unlock(&m);
}

void put(void) {
    pthread_mutex_lock(&m);
    enqueue(&jobs, &one);
    pthread_mutex_unlock(&m);
}
