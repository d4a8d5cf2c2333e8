// A bounded channel. BUG 1: `if` in place of `while`. BUG 2: one condition for both sides, and `signal`.
// BUG 3: who finds it full does not give the lock back. BUG 4: room for one too many.
#include <assert.h>
#include <pthread.h>

#ifndef PAIRS
#define PAIRS 3
#endif
#ifndef ITEMS
#define ITEMS 3
#endif
#define ROOM 2

static int slots[ROOM], first, used;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
#if BUG == 2
#define emptied filled
#else
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
#endif
#if BUG == 1
#define AGAIN if
#else
#define AGAIN while
#endif
#if BUG == 4
#define FULL (used > ROOM)
#else
#define FULL (used == ROOM)
#endif

static int try_put(int item) {
    pthread_mutex_lock(&lock);
    if (FULL) {
#if BUG != 3
        pthread_mutex_unlock(&lock);
#endif
        return 0;
    }
    slots[(first + used++) % ROOM] = item;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return 1;
}

static void put(int item) {
    pthread_mutex_lock(&lock);
    AGAIN (FULL)
        pthread_cond_wait(&emptied, &lock);
    slots[(first + used++) % ROOM] = item;
    assert(used <= ROOM);
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static int take(void) {
    pthread_mutex_lock(&lock);
    AGAIN (used == 0)
        pthread_cond_wait(&filled, &lock);
    int item = slots[first];
    first = (first + 1) % ROOM;
    used--;
    assert(used >= 0);
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *argument) {
    for (int i = 0; i < ITEMS; i++)
        if (i != 1 || !try_put(i))
            put(i);
    return 0;
}

static void *consume(void *argument) {
    int sum = 0;
    for (int i = 0; i < ITEMS; i++)
        sum += take();
    return (void *)(long)sum;
}

int main(void) {
    pthread_t threads[2 * PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        pthread_create(&threads[2 * i], 0, produce, 0);
        pthread_create(&threads[2 * i + 1], 0, consume, 0);
    }
    for (int i = 0; i < 2 * PAIRS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
