// Peterson's algorithm with pthreads, after the version that Zaks and Joshi found to be wrong
// (Verifying Multi-threaded C Programs with SPIN, figure 1): each thread has a description of
// where the flags are. BROKEN: `volatile` is missing, which shows with -O1. `entered` counts
// modulo VISITS and matters to nobody; `protocol` leaves it out.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>

#ifdef BROKEN
#define SHARED
#else
#define SHARED volatile
#endif
#ifndef VISITS
#define VISITS 4
#endif

struct side {
    SHARED int *mine, *theirs;
    int last;
};

static SHARED int flag0, flag1, last;
static volatile int inside;
static volatile unsigned entered[2];

void protocol(void) {
    exeunt_match_value(flag0);
    exeunt_match_value(flag1);
    exeunt_match_value(last);
    exeunt_match_value(inside);
}

static inline void lock(struct side *side) {
    *side->mine = 1;
    last = side->last;
    while (*side->theirs == 1 && last == side->last) {
    }
}

static inline void unlock(struct side *side) { *side->mine = 0; }

static void critical(int number) {
    assert(++inside == 1);
    entered[number] = (entered[number] + 1) % VISITS;
    inside--;
}

static void *first(void *unused) {
    struct side side = {&flag0, &flag1, 0};
    for (;;) {
        lock(&side);
        critical(0);
        unlock(&side);
    }
    return unused;
}

static void *second(void *unused) {
    struct side side = {&flag1, &flag0, 1};
    for (;;) {
        lock(&side);
        critical(1);
        unlock(&side);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, second, 0);
    first(0);
}
