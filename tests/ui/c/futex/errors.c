// verdict: holds
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word = 3;

static int error(int op, int value, struct timespec *time, int last) {
    errno = 0;
    assert(syscall(SYS_futex, &word, op, value, time, NULL, last) == -1);
    return errno;
}

int main(void) {
    struct timespec wrong = {0, -1}, soon = {0, 1};
    assert(error(FUTEX_WAIT, 4, NULL, 0) == EAGAIN);
    assert(error(FUTEX_WAIT, 3, &wrong, 0) == EINVAL);
    assert(error(FUTEX_WAIT, 3, &soon, 0) == ETIMEDOUT);
    assert(error(FUTEX_WAIT_BITSET, 3, NULL, 0) == EINVAL);
    assert(error(99, 3, NULL, 0) == ENOSYS);
}
