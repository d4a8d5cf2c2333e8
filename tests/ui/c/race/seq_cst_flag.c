// verdict: holds
// states: 38
// exeunt: --races
// Sequentially consistent operations release and acquire.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int x;

static void *work(void *unused) {
    x = 1;
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (flag)
        x = 2;
    pthread_join(thread, 0);
    return 0;
}
// optimised
