// verdict: violated section
// states: 248
// exeunt: --all
// Two threads count down with a read and a write; one count can get lost, and
// then main waits at a latch that never opens.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 2;

static void *count_down(void *unused) {
    left = left - 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count_down, 0);
    pthread_create(&b, 0, count_down, 0);
    exeunt_wait_begin("the latch"); //~ error
    while (left != 0) {
    }
    exeunt_wait_end("the latch");
    return 0;
}
