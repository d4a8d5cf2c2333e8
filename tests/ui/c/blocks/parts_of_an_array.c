// verdict: holds
// states: 29
// Each thread fills its own part of a large array: nobody meets.
#include <assert.h>
#include <pthread.h>
#include <string.h>

char shared[2][65536];

void *filler(void *arg) {
    memset(arg, 1, sizeof shared[0]);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, filler, shared[1]);
    filler(shared[0]);
    pthread_join(thread, 0);
    assert(shared[0][65535] == 1 && shared[1][65535] == 1);
}
// optimised
