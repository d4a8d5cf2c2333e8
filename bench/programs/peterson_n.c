// Peterson's filter lock for THREADS threads that enter ROUNDS times each.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static volatile int level[THREADS], last[THREADS];
static volatile int inside;

static int someone_at(int mine, long me) {
    for (int other = 0; other < THREADS; other++)
        if (other != me && level[other] >= mine)
            return 1;
    return 0;
}

static void *enter(void *who) {
    long me = (long)who;
    for (int i = 0; i < ROUNDS; i++) {
        exeunt_wait_begin("filter");
        for (int mine = 1; mine < THREADS; mine++) {
            level[me] = mine;
            last[mine] = (int)me;
            while (last[mine] == me && someone_at(mine, me)) {
            }
        }
        exeunt_wait_end("filter");
        inside++;
        assert(inside == 1);
        inside--;
        level[me] = 0;
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, enter, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
