// verdict: holds
// states: 18
// A function that ran before main is not the routine of the call that main
// begins with.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int early, late;

__attribute__((constructor)) static void before_main(void) {
    early++;
}

static void init(void) {
    late++;
}

int main(void) {
    pthread_once(&once, init);
    assert(early == 1 && late == 1);
    return 0;
}
