// verdict: holds
// native
// exeunt: --outside fixed
// What system calls answer when nobody else is there.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word = 3;

static void tell(const char *what, long answer) {
    printf("%s: %ld %d\n", what, answer, answer < 0 ? errno : 0);
}

int main(void) {
    struct timespec wrong = {0, 1000000000}, soon = {0, 1};
    tell("another value", syscall(SYS_futex, &word, FUTEX_WAIT, 4, NULL, NULL, 0));
    tell("no time", syscall(SYS_futex, &word, FUTEX_WAIT, 3, &wrong, NULL, 0));
    tell("too long", syscall(SYS_futex, &word, FUTEX_WAIT, 3, &soon, NULL, 0));
    tell("nobody", syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0));
    tell("no bits", syscall(SYS_futex, &word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0));
    tell("no bits", syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 3, NULL, NULL, 0));
    tell("crooked", syscall(SYS_futex, (char *)&word + 1, FUTEX_WAKE, 1, NULL, NULL, 0));
    tell("moved", syscall(SYS_futex, &word, FUTEX_REQUEUE, 1, (void *)1, &word + 1, 0));
    tell("not moved", syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE, 1, (void *)1, &word + 1, 4));
    tell("unknown", syscall(SYS_futex, &word, 99, 1, NULL, NULL, 0));
    tell("yield", syscall(SYS_sched_yield));
    tell("barrier", syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0));
    tell("no barrier", syscall(SYS_membarrier, 3, 0));
    tell("same", syscall(SYS_gettid) == gettid() && syscall(SYS_getpid) == getpid());
}
