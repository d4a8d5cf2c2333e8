// verdict: violated assertion
// states: 45
// sscanf stores its results one after the other.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

int x, y;

void *writer(void *arg) {
    sscanf("1 1", "%d %d", &x, &y);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    int a = *(volatile int *)&x, b = *(volatile int *)&y;
    assert(!(a == 1 && b == 0)); //~ error
    pthread_join(thread, 0);
}
// optimised
