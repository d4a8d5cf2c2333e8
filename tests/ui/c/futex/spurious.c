// verdict: violated assertion
// A wait at a futex may return 0 although nobody called FUTEX_WAKE.
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int ready;

static void *waiter(void *unused) {
    if (!atomic_load(&ready)) syscall(SYS_futex, &ready, FUTEX_WAIT, 0, NULL, NULL, 0);
    assert(ready); //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    atomic_store(&ready, 1);
    syscall(SYS_futex, &ready, FUTEX_WAKE, 1, NULL, NULL, 0);
    pthread_join(thread, NULL);
}
