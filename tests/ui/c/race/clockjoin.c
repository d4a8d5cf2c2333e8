// verdict: holds
// states: 32
// exeunt: --races
// A join with a time orders what the thread did, as every join does.
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static int result;

static void *worker(void *arg) {
    result = 42;
    return arg;
}

int main(void) {
    pthread_t thread;
    struct timespec late = {.tv_sec = 2000000000};
    pthread_create(&thread, 0, worker, 0);
    if (pthread_clockjoin_np(thread, 0, CLOCK_MONOTONIC, &late) != 0)
        pthread_join(thread, 0);
    return result - 42;
}
