// verdict: violated termination
// states: 13
// exeunt: --property all
// Asked for both: all sections end, the program does not; two threads lock and
// unlock for ever.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *endless(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m); //~ error
        pthread_mutex_unlock(&m); //~ error
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, endless, 0);
    endless(0);
}
