// verdict: violated race
// states: 7
// exeunt: --races
// An atomic block orders nothing with what is outside of atomic blocks.
#include <pthread.h>
#include <exeunt.h>

static int x;

static void *work(void *unused) {
    exeunt_atomic_begin();
    x = 1; //~ error
    exeunt_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    x = 2; //~ error
    pthread_join(thread, 0);
    return 0;
}
