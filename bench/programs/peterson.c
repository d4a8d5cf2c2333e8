// Peterson's lock of Zaks and Joshi for two threads that enter ROUNDS times each.
#include <assert.h>
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 4
#endif

static volatile int wants[2], turn, inside;

static void *enter(void *who) {
    long me = (long)who, other = 1 - me;
    for (int i = 0; i < ROUNDS; i++) {
        wants[me] = 1;
        turn = other;
        while (wants[other] && turn == other) {
        }
        inside++;
        assert(inside == 1);
        inside--;
        wants[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, enter, (void *)0);
    pthread_create(&b, 0, enter, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
