// verdict: holds
// states: 15
// exeunt: --races
// Streams have locks of their own.
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused) {
    puts("a");
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    puts("b");
    pthread_join(thread, 0);
    return 0;
}
// optimised
