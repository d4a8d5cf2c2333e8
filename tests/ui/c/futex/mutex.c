// verdict: holds
// optimised
// A lock of three states, as Drepper's "Futexes Are Tricky" describes it.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word; // 0 free, 1 locked, 2 locked and perhaps waited for
static int shared;

static void lock(void) {
    int seen = 0;
    if (atomic_compare_exchange_strong(&word, &seen, 1)) return;
    if (seen != 2) seen = atomic_exchange(&word, 2);
    while (seen != 0) {
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
        seen = atomic_exchange(&word, 2);
    }
}

static void unlock(void) {
    if (atomic_exchange(&word, 0) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *work(void *unused) {
    lock();
    int before = shared;
    shared = before + 1;
    assert(shared == before + 1);
    unlock();
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, NULL);
    work(NULL);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(shared == 3);
}
