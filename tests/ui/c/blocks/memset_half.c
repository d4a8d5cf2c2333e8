// verdict: violated assertion
// states: 55
// A block that is being filled is seen half filled.
#include <assert.h>
#include <pthread.h>
#include <string.h>

char shared[16];

void *writer(void *arg) {
    memset(shared, 7, sizeof shared);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    char first = *(volatile char *)&shared[0], last = *(volatile char *)&shared[15];
    assert(!(first == 7 && last == 0)); //~ error
    pthread_join(thread, 0);
}
// optimised
