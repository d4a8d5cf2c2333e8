// verdict: holds
// states: 9
// The program goes on when main calls pthread_exit.
#include <assert.h>
#include <pthread.h>

static volatile int done;

static void *work(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
