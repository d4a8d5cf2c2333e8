// verdict: holds
// One waiter is woken, the other waits at the second word and is woken there.
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int first, second, done;

static void *waiter(void *unused) {
    while (!atomic_load(&done)) syscall(SYS_futex, &first, FUTEX_WAIT, 0, NULL, NULL, 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    assert(syscall(SYS_futex, &first, FUTEX_CMP_REQUEUE, 1, 9, &second, 5) == -1 && errno == EAGAIN);
    atomic_store(&done, 1);
    atomic_store(&first, 1);
    long touched = syscall(SYS_futex, &first, FUTEX_CMP_REQUEUE, 1, 9, &second, 1);
    assert(touched >= 0 && touched <= 2);
    syscall(SYS_futex, &second, FUTEX_WAKE, 9, NULL, NULL, 0);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
