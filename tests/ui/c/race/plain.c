// verdict: violated race
// states: 7
// exeunt: --races
// Two plain accesses, one a write.
#include <pthread.h>

static int x;

static void *work(void *unused) {
    x = 1; //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    x = 2; //~ error
    pthread_join(thread, 0);
    return 0;
}
