// verdict: inconclusive
// exeunt: --max-states 5
// states: any
// A bound that cut something off forbids "holds".
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
