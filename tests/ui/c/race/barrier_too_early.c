// verdict: violated race
// states: 12
// exeunt: --races
// The second barrier is missing.
#include <pthread.h>

static pthread_barrier_t b;
static int x[2];

static void *work(void *unused) {
    x[0] = 1;
    pthread_barrier_wait(&b);
    x[0] = 2; //~ error
    return unused;
}

int main(void) {
    pthread_barrier_init(&b, 0, 2);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_barrier_wait(&b);
    x[1] = x[0]; //~ error
    pthread_join(thread, 0);
    return 0;
}
