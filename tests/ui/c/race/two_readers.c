// verdict: holds
// states: 69
// exeunt: --races
// Reading together is no race.
#include <pthread.h>

static volatile int x = 1;

static void *work(void *unused) {
    return x ? unused : 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
