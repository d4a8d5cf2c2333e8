// verdict: holds
// states: 147
// Another stream is not locked, and unlocked functions do not wait.
#include <pthread.h>
#include <stdio.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *unused)
{
    pthread_mutex_lock(&m);
    fputs("x", stderr);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    flockfile(stdout);
    putchar_unlocked(0x78);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    funlockfile(stdout);
    pthread_join(t, 0);
}
// optimised
