// A clock that ticks for ever. Broken programs start it, so that the program as a
// whole goes on while a section of it is stuck: a search for errors and deadlocks
// sees nothing wrong and has to look at everything.
#ifndef CLOCK_H
#define CLOCK_H

#include <pthread.h>

static volatile int tick;

static void *clock_hand(void *unused) {
    for (;;)
        tick = !tick;
    return unused;
}

static void start_clock(void) {
    pthread_t hand;
    pthread_create(&hand, 0, clock_hand, 0);
}

#endif
