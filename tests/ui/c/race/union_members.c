// verdict: violated race
// states: 7
// exeunt: --races
// Members of a union overlap.
#include <pthread.h>

static union { int word; char bytes[4]; } u;

static void *work(void *unused) {
    u.word = 1; //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    u.bytes[2] = 1; //~ error
    pthread_join(thread, 0);
    return 0;
}
