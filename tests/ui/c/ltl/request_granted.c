// verdict: holds
// states: 148
// exeunt: --property temporal --fair --ltl 'request ~> granted' --ltl 'G F !granted'
// Every request is granted before the next one is made.
#include <pthread.h>

static volatile int request, granted;

static void *server(void *unused) {
    for (;;) {
        while (!request) {
        }
        request = 0;
        granted = 1;
        while (granted) {
        }
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, server, 0);
    for (;;) {
        request = 1;
        while (!granted) {
        }
        granted = 0;
    }
}
