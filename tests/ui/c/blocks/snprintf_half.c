// verdict: violated assertion
// states: 87
// snprintf into shared memory, and a reader that copies the text.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

char shared[32] = "0000000000 0000000000";

void *writer(void *arg) {
    snprintf(shared, sizeof shared, "%010d %010d", 1, 1);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    char copy[32];
    memcpy(copy, shared, sizeof copy);
    assert(copy[9] == copy[20]); //~ error
    pthread_join(thread, 0);
}
// optimised
