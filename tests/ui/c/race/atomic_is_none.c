// verdict: holds
// states: 21
// exeunt: --races
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *work(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    x = 2;
    pthread_join(thread, 0);
    return 0;
}
