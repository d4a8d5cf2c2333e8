// verdict: holds
// states: 19
// exeunt: --races
// Atomic blocks are ordered among themselves.
#include <pthread.h>
#include <exeunt.h>

static int x;

static void *work(void *unused) {
    exeunt_atomic_begin();
    x++;
    exeunt_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    exeunt_atomic_begin();
    x++;
    exeunt_atomic_end();
    pthread_join(thread, 0);
    return 0;
}
// optimised
