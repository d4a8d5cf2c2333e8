// Threads move money between accounts with a lock each. BUG 1: the balance is looked at before the lock
// is taken. BUG 2: locks are taken in the order of the transfer. BUG 3: one path returns with a lock.
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 6
#endif
#ifndef ROUNDS
#define ROUNDS 5
#endif
#define ACCOUNTS 4

static struct {
    pthread_mutex_t lock;
    int balance;
} accounts[ACCOUNTS];

static void transfer(int from, int to, int amount) {
    int low = from < to ? from : to, high = from < to ? to : from;
#if BUG == 2
    low = from, high = to;
#endif
#if BUG == 1
    int enough = accounts[from].balance >= amount;
#endif
    pthread_mutex_lock(&accounts[low].lock);
    pthread_mutex_lock(&accounts[high].lock);
#if BUG != 1
    int enough = accounts[from].balance >= amount;
#endif
#if BUG == 3
    if (!enough) {
        pthread_mutex_unlock(&accounts[high].lock);
        return;
    }
#endif
    if (enough) {
        accounts[from].balance -= amount;
        accounts[to].balance += amount;
    }
    assert(accounts[from].balance >= 0);
    pthread_mutex_unlock(&accounts[high].lock);
    pthread_mutex_unlock(&accounts[low].lock);
}

static void *work(void *argument) {
    int me = (int)(long)argument;
    for (int round = 0; round < ROUNDS; round++)
        transfer((me + round) % ACCOUNTS, (me + round + 1 + me % 2) % ACCOUNTS, 2 + round);
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < ACCOUNTS; i++) {
        pthread_mutex_init(&accounts[i].lock, 0);
        accounts[i].balance = 4;
    }
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
