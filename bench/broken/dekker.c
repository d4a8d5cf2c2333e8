// Dekker's algorithm beside threads that count. BUG 1: the turn is not looked at. BUG 2: the flag is set too late.
// BUG 3: the turn is given to oneself.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 5
#endif
#ifndef OTHERS
#define OTHERS 3
#endif

static atomic_int wants[2], turn, inside, noise[OTHERS + 1];

static void enter(int me) {
#if BUG == 2
    while (wants[1 - me])
        ;
    wants[me] = 1;
#else
    wants[me] = 1;
    while (wants[1 - me]) {
#if BUG == 1
        wants[me] = 0;
        wants[me] = 1;
        if (turn == me)
            break;
#else
        if (turn != me) {
            wants[me] = 0;
            while (turn != me)
                ;
            wants[me] = 1;
        }
#endif
    }
#endif
}

static void leave(int me) {
#if BUG == 3
    turn = me;
#else
    turn = 1 - me;
#endif
    wants[me] = 0;
}

static void *work(void *argument) {
    int me = (int)(long)argument;
    for (int i = 0; i < ROUNDS; i++) {
        enter(me);
        assert(inside++ == 0);
        inside--;
        leave(me);
    }
    return 0;
}

static void *count(void *argument) {
    for (int i = 0; i < 3; i++)
        noise[(long)argument] += noise[OTHERS];
    return 0;
}

int main(void) {
    pthread_t threads[2 + OTHERS];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (long i = 0; i < OTHERS; i++)
        pthread_create(&threads[2 + i], 0, count, (void *)i);
    for (int i = 0; i < 2 + OTHERS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
