// verdict: inconclusive
// states: 2747
// exeunt: --max-threads 3
// More threads than the bound are left out, which "holds" may not forget.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *work(void *arg) {
    pthread_mutex_lock(&m);
    flag = !flag;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void) {
    pthread_t thread;
    for (;;) {
        pthread_create(&thread, 0, work, 0);
        pthread_detach(thread);
    }
}
