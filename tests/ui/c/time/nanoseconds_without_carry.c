// verdict: violated assertion
// states: 96
// Half a second is added to the nanoseconds alone: in the second half of every second the
// deadline is none.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

int main(void) {
    sem_t semaphore;
    struct timespec until;
    sem_init(&semaphore, 0, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 500000000;
    int result = sem_timedwait(&semaphore, &until);
    assert(result == -1 && errno == ETIMEDOUT); //~ error
}
