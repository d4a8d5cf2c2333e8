// verdict: holds
// states: 15000
// A loop that looks at the clock until some time has passed ends, in both threads.
#include <pthread.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void *spin(void *unused) {
    double end = now() + 0.5;
    while (now() < end) {
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, spin, 0);
    spin(0);
    pthread_join(thread, 0);
}
