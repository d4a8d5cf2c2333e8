// verdict: violated section
// states: 8
// Nobody sets the flag, and no lock or join says so: the loop itself is the wait.
#include <pthread.h>

static volatile int ready;

static void *wait(void *unused) {
    while (!ready) { //~ error
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    for (;;) {
    }
}
