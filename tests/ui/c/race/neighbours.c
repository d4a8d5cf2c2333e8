// verdict: holds
// states: 15
// exeunt: --races
// Different members are different memory locations.
#include <pthread.h>

static struct { char a, b; } s;

static void *work(void *unused) {
    s.a = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    s.b = 1;
    pthread_join(thread, 0);
    return 0;
}
// optimised
