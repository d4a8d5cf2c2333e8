// verdict: violated race
// states: 3
// exeunt: --races
// Nothing says that a thread starts after its handle was stored.
#include <pthread.h>

static pthread_t thread;

static void *work(void *unused) {
    pthread_t me = thread; //~ error
    return me ? unused : 0;
}

int main(void) {
    pthread_create(&thread, 0, work, 0); //~ error
    pthread_join(thread, 0);
    return 0;
}
// optimised
