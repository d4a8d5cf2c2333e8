// verdict: holds
// states: 11
// Waiting for an input is not busy waiting: no other thread could end it.
#include <exeunt.h>
#include <pthread.h>

static void *run(void *unused) {
    while (exeunt_choose(2)) {
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    for (;;) {
    }
}
