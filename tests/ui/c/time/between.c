// verdict: violated assertion
// states: 45
// Both bounds of an interval are found.
#include <assert.h>
#include <time.h>

int main(void) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_MONOTONIC, &b);
    long ms = (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000;
    assert(ms >= 0);
    assert(ms <= 10 || ms >= 20); //~ error
}
