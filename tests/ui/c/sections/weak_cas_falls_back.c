// verdict: holds
// states: 4133
// Two weak tries, then a strong one.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock;

static int try_lock(void) {
    for (int i = 0; i < 2; i++) {
        int expected = 0;
        if (atomic_compare_exchange_weak(&lock, &expected, 1))
            return 1;
    }
    int expected = 0;
    return atomic_compare_exchange_strong(&lock, &expected, 1);
}

static void *work(void *unused) {
    for (;;) {
        exeunt_wait_begin("the lock");
        while (!try_lock()) {
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
