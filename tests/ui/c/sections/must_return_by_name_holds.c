// verdict: holds
// states: 123
// exeunt: --must-return wait_for_flag
// The program never ends, and the function that must return does.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

__attribute__((noinline)) static void wait_for_flag(int value) {
    while (flag != value) {
    }
}

static void *other(void *unused) {
    for (;;) {
        wait_for_flag(1);
        flag = 0;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    for (;;) {
        wait_for_flag(0);
        flag = 1;
    }
}
