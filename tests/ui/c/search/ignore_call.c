// verdict: holds
// states: any
// The same by a call in the program.
#include <exeunt.h>
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
    exeunt_ignore(&hits, sizeof hits);
    pthread_create(&thread, 0, work, 0);
    for (;;)
        assert(flag <= 1);
}
