// verdict: holds
// states: 6
// exeunt: --abort-ends
// A watchdog ends the program by abort() while another thread waits for ever:
// where that is meant, the end of the program ends every section.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_ever(void *unused) {
    pthread_mutex_lock(&m);
    return unused;
}

int main(void) {
    pthread_t waiter;
    pthread_mutex_lock(&m);
    pthread_create(&waiter, 0, wait_for_ever, 0);
    abort();
}
