// verdict: holds
// states: 86
// Two threads count down in one step each, so the latch opens.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left = 2;

static void *count_down(void *unused) {
    left--;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count_down, 0);
    pthread_create(&b, 0, count_down, 0);
    exeunt_wait_begin("the latch");
    while (left != 0) {
    }
    exeunt_wait_end("the latch");
    return 0;
}
