// verdict: violated assertion
// states: 20
// What a thread did before an assumption that fails has happened: the other
// one may see it.
#include <assert.h>
#include <exeunt.h>
#include <pthread.h>

static volatile int flag, own;

static void *first(void *unused) {
    flag = 1;
    int seen = own;
    exeunt_assume(seen == 5);
    return unused;
}

static void *second(void *unused) {
    assert(!flag); //~ error
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, second, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
// optimised
