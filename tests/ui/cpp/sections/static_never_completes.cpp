// verdict: violated section
// states: 18
// A variable whose initialisation never ends: the thread that runs it is inside.
#include <pthread.h>

volatile int x;

int forever() {
    for (;;)
        x = x ^ 1;
}

void *worker(void *) {
    static int value = forever(); //~ error
    return &value;
}

int main() {
    pthread_t t;
    pthread_create(&t, nullptr, worker, nullptr);
    for (;;) { }
}
