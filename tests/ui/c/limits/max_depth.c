// verdict: inconclusive
// exeunt: --max-depth 3
// states: any
#include <pthread.h>

static volatile int x;

static void *work(void *unused) {
    x = 1;
    x = 2;
    x = 3;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return 0;
}
