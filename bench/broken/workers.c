// Workers take jobs until they are told to stop. BUG 1: stopping wakes one worker. BUG 2: the stop flag is set without the
// lock. BUG 3: a job that makes another job waits for it. BUG 4: the last job is counted twice.
#include <assert.h>
#include <pthread.h>

#ifndef WORKERS
#define WORKERS 5
#endif
#ifndef JOBS
#define JOBS 6
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static int queue[2 * JOBS], first, used, finished, stopping;

static void submit(int job) {
    pthread_mutex_lock(&lock);
    queue[used++] = job;
    pthread_cond_signal(&wake);
    pthread_mutex_unlock(&lock);
}

static void finish(void) {
    pthread_mutex_lock(&lock);
    finished++;
    pthread_cond_broadcast(&done);
    pthread_mutex_unlock(&lock);
}

static void run(int job) {
#if BUG == 3
    if (job % 2 == 1) {
        submit(job + 1);
        pthread_mutex_lock(&lock);
        int wanted = finished + 1;
        while (finished < wanted)
            pthread_cond_wait(&done, &lock);
        pthread_mutex_unlock(&lock);
    }
#endif
    finish();
}

static void *work(void *argument) {
    for (;;) {
        pthread_mutex_lock(&lock);
        while (first == used && !stopping)
            pthread_cond_wait(&wake, &lock);
        if (first == used) {
            pthread_mutex_unlock(&lock);
            return 0;
        }
#if BUG == 4
        int job = queue[first];
        pthread_mutex_unlock(&lock);
        run(job);
        pthread_mutex_lock(&lock);
        first++;
        assert(first <= used);
        pthread_mutex_unlock(&lock);
#else
        int job = queue[first++];
        pthread_mutex_unlock(&lock);
        run(job);
#endif
    }
}

int main(void) {
    pthread_t threads[WORKERS];
    for (long i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < JOBS; i++)
        submit(i);
    pthread_mutex_lock(&lock);
    while (finished < JOBS)
        pthread_cond_wait(&done, &lock);
#if BUG == 2
    pthread_mutex_unlock(&lock);
    stopping = 1;
    pthread_cond_broadcast(&wake);
#else
    stopping = 1;
#if BUG == 1
    pthread_cond_signal(&wake);
#else
    pthread_cond_broadcast(&wake);
#endif
    pthread_mutex_unlock(&lock);
#endif
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
