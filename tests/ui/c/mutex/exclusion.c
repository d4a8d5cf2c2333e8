// verdict: holds
// states: 101
// Nobody else is inside.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int inside;

static void *visit(void *unused) {
    pthread_mutex_lock(&mutex);
    inside++;
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, visit, 0);
    visit(0);
    pthread_join(thread, 0);
    return 0;
}
