#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;
static int value;

static void *wait_for(void *unused) {
    (void)unused;
    while (atomic_load(&turn) != 1) {
    }
    value++;
    atomic_store(&turn, 2);
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, wait_for, 0);
    value = 1;
    atomic_store(&turn, 1);
    while (atomic_load(&turn) != 2) {
    }
    assert(value == 2);
    pthread_join(other, 0);
}
