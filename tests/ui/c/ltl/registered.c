// verdict: violated ltl
// states: 16
// exeunt: --property temporal --ltl 'G (busy -> F idle)'
// Names that the program itself gives to its variables.
#include <exeunt.h>
#include <pthread.h>

static struct {
    int working, resting;
} state = {0, 1};

static void *worker(void *unused) {
    state.resting = 0;
    state.working = 1;
    pthread_exit(unused);
}

int main(void) {
    pthread_t thread;
    exeunt_proposition("busy", &state.working);
    exeunt_proposition("idle", &state.resting);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
}
