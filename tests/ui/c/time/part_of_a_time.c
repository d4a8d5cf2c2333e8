// verdict: inconclusive
// states: any
// The bytes of a time in memory are not followed one by one.
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    assert(*(volatile int *)&now.tv_sec != 7);
}
