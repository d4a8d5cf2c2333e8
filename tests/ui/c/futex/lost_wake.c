// verdict: violated section
// The lock forgets that others may wait: its holder wakes nobody.
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static atomic_int beats;

static void lock(void) {
    int seen = 0;
    while (!atomic_compare_exchange_strong(&word, &seen, 1)) {
        syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL, NULL, 0); //~ error
        seen = 0;
    }
}

static void *work(void *unused) {
    lock();
    atomic_store(&word, 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    for (;;) atomic_fetch_xor(&beats, 1);
}
