// verdict: violated ltl
// states: 288
// exeunt: --property temporal --fair --ltl 'G (request -> F granted)'
// The server looks at the request and clears it after it has answered an
// earlier one: a request that comes in between is lost.
#include <pthread.h>

static volatile int request, granted, rounds;

static void *server(void *unused) {
    for (;;) {
        if (request) {
            granted = 1;
            request = 0;
        }
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, server, 0);
    for (rounds = 0; rounds < 2; rounds++) {
        request = 1;
        while (!granted) {
        }
        granted = 0;
    }
    for (;;) {
    }
}
