// verdict: violated section
// states: 26
// exeunt: --all --must-return wait_politely --sections function
// Waiting with sched_yield and sleep is waiting all the same.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int flag;

__attribute__((noinline)) static void wait_politely(void) {
    while (flag != 2) {
        sched_yield();
        usleep(1);
    }
}

static void *set(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, set, 0);
    wait_politely(); //~ error
    return 0;
}
