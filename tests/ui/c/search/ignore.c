// verdict: holds
// states: any
// exeunt: --ignore hits
// A counter that grows for ever makes every state a new one. Ignored, it is
// kept but not compared, and the report says so.
#include <assert.h>
#include <pthread.h>

static volatile int flag;
static unsigned long hits;

static void *work(void *unused) {
    for (;;) {
        flag = 1;
        hits++;
        flag = 0;
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    for (;;)
        assert(flag <= 1);
}
