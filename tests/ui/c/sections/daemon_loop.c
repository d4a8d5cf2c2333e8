// verdict: holds
// states: 133
// A daemon that enters and leaves a section for ever, and one that asks it.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int request;

static void *daemon_loop(void *unused) {
    for (;;) {
        exeunt_wait_begin("a request");
        while (request == 0) {
        }
        exeunt_wait_end("a request");
        exeunt_section_begin("serve", &request);
        request = 0;
        exeunt_section_end("serve", &request);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, daemon_loop, 0);
    for (;;) {
        request = 1;
        exeunt_wait_begin("an answer");
        while (request != 0) {
        }
        exeunt_wait_end("an answer");
    }
}
