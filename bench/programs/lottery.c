// Choices of the environment in a program that ends: THREADS players draw ROUNDS lots
// of KINDS kinds each and pay under a lock. Each section ends, whatever is drawn.
#include <exeunt.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef KINDS
#define KINDS 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int bank;

static void *play(void *unused) {
    for (int i = 0; i < ROUNDS; i++) {
        int lot = exeunt_choose(KINDS);
        pthread_mutex_lock(&lock);
        bank += lot;
        if (lot == 0)
            bank = 0;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t players[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&players[i], 0, play, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(players[i], 0);
    return 0;
}
