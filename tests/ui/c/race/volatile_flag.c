// verdict: violated race
// states: 13
// exeunt: --races
// A volatile variable is not atomic: the flag itself is raced for.
#include <pthread.h>

static volatile int flag;
static int x;

static void *work(void *unused) {
    x = 1;
    flag = 1; //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    if (flag) //~ error
        x = 2;
    pthread_join(thread, 0);
    return 0;
}
// optimised
