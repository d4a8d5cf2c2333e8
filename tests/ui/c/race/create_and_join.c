// verdict: holds
// states: 33
// exeunt: --races
// What is before the creation and after the join is ordered.
#include <pthread.h>

static int x;

static void *work(void *unused) {
    x++;
    return unused;
}

int main(void) {
    pthread_t thread;
    x = 1;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    x++;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return x - 4;
}
// optimised
