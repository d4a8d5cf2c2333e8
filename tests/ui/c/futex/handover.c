// verdict: holds
// exeunt: --races
// Waits with and without masks and deadlines; a broadcast that moves waiters to another word;
// and a wake-up of memory that is gone, which the kernel allows.
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int gate, queue;
static int data;

static long futex(atomic_int *word, int op, int value, void *time, atomic_int *other, int last) {
    return syscall(SYS_futex, word, op, value, time, other, last);
}

static void *waiter(void *unused) {
    while (atomic_load(&gate) == 0)
        futex(&gate, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, 4);
    assert(data == 7);
    while (atomic_load(&queue) == 0) {
        struct timespec soon = {0, 1000};
        long got = futex(&queue, FUTEX_WAIT, 0, &soon, NULL, 0);
        assert(got == 0 || errno == ETIMEDOUT || errno == EAGAIN);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    data = 7;
    assert(futex(&gate, FUTEX_WAKE_BITSET, 9, NULL, NULL, 2) == 0);
    atomic_store(&gate, 1);
    long woken = futex(&gate, FUTEX_WAKE_BITSET, 9, NULL, NULL, 6);
    assert(woken == 0 || woken == 1);
    atomic_store(&queue, 1);
    futex(&queue, FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_join(thread, NULL);
    atomic_int *gone = malloc(sizeof *gone);
    free(gone);
    assert(futex(gone, FUTEX_WAKE, 1, NULL, NULL, 0) == 0);
}
