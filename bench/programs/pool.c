// A pool of WORKERS that take JOBS jobs off a queue until it is closed. The jobs
// allocate and free memory. BROKEN: closing wakes one worker instead of all, while a
// clock goes on.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#ifdef BROKEN
#include "clock.h"
#endif

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef JOBS
#define JOBS 3
#endif

struct job {
    struct job *next;
    int number;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct job *queue;
static bool closed;
static int done;

static void *work(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (queue == NULL && !closed)
            pthread_cond_wait(&changed, &mutex);
        struct job *job = queue;
        if (job == NULL) {
            pthread_mutex_unlock(&mutex);
            return unused;
        }
        queue = job->next;
        pthread_mutex_unlock(&mutex);
        int *result = malloc(sizeof *result);
        *result = job->number * job->number;
        free(job);
        pthread_mutex_lock(&mutex);
        done += *result;
        pthread_mutex_unlock(&mutex);
        free(result);
    }
}

int main(void) {
    pthread_t workers[WORKERS];
#ifdef BROKEN
    start_clock();
#endif
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], 0, work, 0);
    int expected = 0;
    for (int i = 1; i <= JOBS; i++) {
        struct job *job = malloc(sizeof *job);
        job->number = i;
        expected += i * i;
        pthread_mutex_lock(&mutex);
        job->next = queue;
        queue = job;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&mutex);
    }
    pthread_mutex_lock(&mutex);
    closed = true;
#ifdef BROKEN
    pthread_cond_signal(&changed);
#else
    pthread_cond_broadcast(&changed);
#endif
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], 0);
    assert(done == expected);
    return 0;
}
