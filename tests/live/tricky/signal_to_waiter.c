// verdict: holds
// check: inconclusive
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* A thread waits for a signal that another one sends to the program. */
#include <signal.h>
#include <unistd.h>
static void *work(void *arg) {
    kill(getpid(), SIGUSR1);
    return arg;
}
int main(void) {
    sigset_t set;
    int got;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    assert(sigwait(&set, &got) == 0 && got == SIGUSR1);
    pthread_join(t, 0);
    return 0;
}
