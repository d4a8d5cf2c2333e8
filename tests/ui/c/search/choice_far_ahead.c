// verdict: violated assertion
// reductions: global tau movers
// A turn ends before something is chosen, so both values are tried behind a long loop.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>

static _Atomic int count, chosen;

static void *work(void *arg) {
    for (int i = 0; i < 20000; i++)
        count++;
    chosen += exeunt_choose(3);
    return arg;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(count == 40000);
    assert(chosen != 4); //~ error
}
