// A counting semaphore by hand. BUG 1: a waiter is woken although somebody else may take its place.
// BUG 2: only who finds the count at zero wakes a waiter. BUG 3: the count is changed after the lock was given back.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 7
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif
#define PLACES 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t free_place = PTHREAD_COND_INITIALIZER;
static int count = PLACES, waiting;
static int inside;
static pthread_mutex_t inside_lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) {
    pthread_mutex_lock(&lock);
    waiting++;
#if BUG == 1
    if (count == 0)
        pthread_cond_wait(&free_place, &lock);
#else
    while (count == 0)
        pthread_cond_wait(&free_place, &lock);
#endif
    waiting--;
    count--;
    pthread_mutex_unlock(&lock);
}

static void leave(void) {
    pthread_mutex_lock(&lock);
#if BUG == 2
    if (count == 0)
        pthread_cond_signal(&free_place);
    count++;
    pthread_mutex_unlock(&lock);
#elif BUG == 3
    pthread_cond_signal(&free_place);
    pthread_mutex_unlock(&lock);
    count++;
#else
    count++;
    pthread_cond_signal(&free_place);
    pthread_mutex_unlock(&lock);
#endif
}

static void *work(void *argument) {
    for (int i = 0; i < ROUNDS; i++) {
        enter();
        pthread_mutex_lock(&inside_lock);
        inside++;
        assert(inside <= PLACES);
        pthread_mutex_unlock(&inside_lock);
        pthread_mutex_lock(&inside_lock);
        inside--;
        pthread_mutex_unlock(&inside_lock);
        leave();
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
