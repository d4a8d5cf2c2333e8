// verdict: inconclusive
// exeunt: --max-states 30000 --jobs 1
// reductions: tau movers
// states: any
// Tickets grow for ever, and each makes new states: the report names the variables.
#include <pthread.h>

static _Atomic unsigned next, serving;
static int data;

static void *work(void *arg) {
    for (;;) {
        unsigned ticket = next++;
        while (serving != ticket)
            ;
        data = !data;
        serving++;
    }
    return arg;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(threads + i, 0, work, 0);
    pthread_join(threads[0], 0);
}
