// verdict: violated race
// states: 13
// exeunt: --races
// Neighbouring bit-fields are one memory location.
#include <pthread.h>

static struct { int a : 4, b : 4; } s;

static void *work(void *unused) {
    s.a = 1; //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    s.b = 1; //~ error
    pthread_join(thread, 0);
    return 0;
}
// optimised
