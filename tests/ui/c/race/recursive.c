// verdict: holds
// states: 131
// exeunt: --races
// A recursive mutex is released by its last unlock.
#include <pthread.h>

static pthread_mutex_t m;
static int x;

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &recursive);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    return x - 6;
}
// optimised
