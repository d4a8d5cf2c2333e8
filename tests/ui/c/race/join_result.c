// verdict: violated race
// states: 16
// exeunt: --races
// pthread_join writes to memory, and a thread that nobody joined may read it.
#include <pthread.h>

static void *result;

static void *work(void *unused) {
    return unused;
}

static void *reader(void *unused) {
    return result; //~ error
}

int main(void) {
    pthread_t thread, other;
    pthread_create(&thread, 0, work, 0);
    pthread_create(&other, 0, reader, 0);
    pthread_join(thread, &result); //~ error
    pthread_join(other, 0);
    return 0;
}
// optimised
