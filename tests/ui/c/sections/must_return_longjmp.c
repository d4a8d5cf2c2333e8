// verdict: holds
// states: 63
// A jump out of a function leaves it, too.
#include <exeunt.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static jmp_buf back;
static atomic_int ticks;

EXEUNT_MUST_RETURN static void jump(void) {
    longjmp(back, 1);
}

static void *tick(void *unused) {
    for (;;)
        ticks ^= 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, tick, 0);
    if (setjmp(back) == 0)
        jump();
    for (;;)
        ticks ^= 1;
}
