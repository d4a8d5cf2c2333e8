// verdict: violated section
// states: 261
// exeunt: --all
// The client asks twice and goes on to other things: the daemon's third wait
// for a request never ends.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request, ticks;

static void *daemon_loop(void *unused) {
    for (;;) {
        exeunt_wait_begin("a request"); //~ error
        while (request == 0) {
        }
        exeunt_wait_end("a request");
        request = 0;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, daemon_loop, 0);
    for (int i = 0; i < 2; i++) {
        request = 1;
        while (request != 0) {
        }
    }
    for (;;)
        ticks ^= 1;
}
