// verdict: holds
// states: 123
// A lock made of a flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static int counter;

static void *work(void *unused) {
    while (atomic_flag_test_and_set(&flag)) {
    }
    counter++;
    atomic_flag_clear(&flag);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
    assert(counter == 2);
    return 0;
}
