// verdict: violated assertion
// states: 186
// One thread has waited for five seconds while the other, which looked at the clock
// before the first one did again, thinks that less than three have passed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int began, waited;

static void *second(void *unused) {
    time_t start = time(0);
    began = 1;
    while (!waited) {
    }
    assert(time(0) - start >= 3); //~ error
    return 0;
}

int main(void) {
    pthread_t thread;
    time_t start = time(0);
    pthread_create(&thread, 0, second, 0);
    while (!began) {
    }
    while (time(0) - start < 5) {
    }
    waited = 1;
    pthread_join(thread, 0);
}
