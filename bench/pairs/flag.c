#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;
static int value;

static void *answer(void *unused) {
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        while (atomic_load(&turn) != 2 * i + 1) {
        }
        value++;
        atomic_store(&turn, 2 * i + 2);
    }
    return 0;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, answer, 0);
    for (int i = 0; i < ROUNDS; i++) {
        value++;
        atomic_store(&turn, 2 * i + 1);
        while (atomic_load(&turn) != 2 * i + 2) {
        }
    }
    assert(value == 2 * ROUNDS);
    pthread_join(other, 0);
}
