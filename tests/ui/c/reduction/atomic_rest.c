// verdict: violated assertion
// states: 66
// An atomic block that is interrupted by a wait, and what comes behind the
// block, are two steps: the other thread may come between them.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static volatile int x, y;

static void *work(void *unused) {
    exeunt_atomic_begin();
    x = 1;
    pthread_mutex_lock(&m);
    x = 2;
    exeunt_atomic_end();
    y = 1;
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&m);
    pthread_create(&thread, 0, work, 0);
    pthread_mutex_unlock(&m);
    int both = x == 2 && y == 0;
    assert(!both);  //~ error
    pthread_join(thread, 0);
    return 0;
}
