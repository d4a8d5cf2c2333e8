// verdict: holds
// states: 1002
// Values chosen before and inside; each leads to the end on its own way.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;

static void *other(void *unused) {
    for (;;)
        turn = exeunt_choose(2) ? 1 - turn : (turn + 1) % 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    int mine = exeunt_choose(2);
    exeunt_wait_begin("my turn");
    while (turn != mine) {
    }
    for (int n = exeunt_choose(3); n > 0; n--)
        turn ^= 1;
    exeunt_wait_end("my turn");
    return 0;
}
