// verdict: holds
// states: 8
// exeunt: --sections mutex-wait,join
// It is a section kind like the others, and can be left out.
#include <pthread.h>

static volatile int ready;

static void *wait(void *unused) {
    while (!ready) {
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, wait, 0);
    for (;;) {
    }
}
