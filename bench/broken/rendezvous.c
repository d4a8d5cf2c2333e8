// A barrier made of a lock and a condition. BUG 1: without a generation. BUG 2: `signal` in place of
// `broadcast`. BUG 3: the count is looked at without the lock.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 6
#endif
#ifndef ROUNDS
#define ROUNDS 4
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;
static int here, generation, round_of[THREADS];

static void meet(void) {
    pthread_mutex_lock(&lock);
    int mine = generation;
    (void)mine;
    here++;
#if BUG == 3
    pthread_mutex_unlock(&lock);
    if (here == THREADS) {
        pthread_mutex_lock(&lock);
#else
    if (here == THREADS) {
#endif
        here = 0;
        generation++;
#if BUG == 2
        pthread_cond_signal(&all_here);
#else
        pthread_cond_broadcast(&all_here);
#endif
    } else {
#if BUG == 3
        pthread_mutex_lock(&lock);
#endif
#if BUG == 1
        while (here != 0)
            pthread_cond_wait(&all_here, &lock);
#else
        while (mine == generation)
            pthread_cond_wait(&all_here, &lock);
#endif
    }
    pthread_mutex_unlock(&lock);
}

static void *work(void *argument) {
    int me = (int)(long)argument;
    for (int round = 0; round < ROUNDS; round++) {
        round_of[me] = round;
        meet();
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
