// verdict: holds
// states: 147
// The strong one succeeds if the lock is free, and that it is again and again.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;

static void *work(void *unused) {
    for (;;) {
        exeunt_wait_begin("the lock");
        for (int expected = 0; !atomic_compare_exchange_strong(&lock, &expected, 1); expected = 0) {
        }
        exeunt_wait_end("the lock");
        lock = 0;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
}
