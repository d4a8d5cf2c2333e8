// verdict: holds
// states: 147
// exeunt: --races
// However often two threads take turns: histories do not grow.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        x ^= 1;
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
}
// optimised
