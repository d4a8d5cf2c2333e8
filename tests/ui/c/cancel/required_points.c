// verdict: holds
// states: 7386
// exeunt: --outside fixed
// Every function that POSIX lists and we know: a cancelled thread does not come back from it.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t m;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
mtx_t mtx;
cnd_t cnd;
sem_t s;
pthread_t ended;
thrd_t ended_too;
_Atomic int go;
int returned;
struct timespec now;
char byte;

void *nothing(void *unused) { return 0; }
int nothing_too(void *unused) { return 0; }

void call(long number)
{
    switch (number) {
    case 0: pthread_testcancel(); break;
    case 1: sem_wait(&s); break;
    case 2: sem_timedwait(&s, &now); break;
    case 3: sem_clockwait(&s, CLOCK_MONOTONIC, &now); break;
    case 4: pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); break;
    case 5: pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &now); break;
    case 6: pthread_mutex_lock(&m); pthread_cond_clockwait(&c, &m, CLOCK_MONOTONIC, &now); break;
    case 7: mtx_lock(&mtx); cnd_wait(&cnd, &mtx); break;
    case 8: mtx_lock(&mtx); cnd_timedwait(&cnd, &mtx, &now); break;
    case 9: pthread_join(ended, 0); break;
    case 10: pthread_timedjoin_np(ended, 0, &now); break;
    case 11: pthread_clockjoin_np(ended, 0, CLOCK_REALTIME, &now); break;
    case 12: thrd_join(ended_too, 0); break;
    case 13: nanosleep(&now, 0); break;
    case 14: clock_nanosleep(CLOCK_MONOTONIC, 0, &now, 0); break;
    case 15: sleep(0); break;
    case 16: usleep(1); break;
    case 17: thrd_sleep(&now, 0); break;
    case 18: write(1, "x", 1); break;
    case 19: read(0, &byte, 1); break;
    case 20: close(77); break;
    case 21: fsync(1); break;
    case 22: pause(); break;
    case 23: open("x", O_RDONLY); break;
    case 24: creat("x", 0600); break;
    case 25: system("true"); break;
    case 26: wait(0); break;
    case 27: waitpid(0, 0, 0); break;
    default: pthread_exit(PTHREAD_CANCELED);
    }
    returned = 1;
}

void *worker(void *number)
{
    while (!go) { }
    call((long)number);
    return 0;
}

int main(void)
{
    mtx_init(&mtx, mtx_plain);
    cnd_init(&cnd);
    sem_init(&s, 0, 1);
    pthread_create(&ended, 0, nothing, 0);
    thrd_create(&ended_too, nothing_too, 0);
    for (long number = 0; number < 28; number++) {
        pthread_t t;
        void *result;
        go = 0;
        pthread_mutex_init(&m, 0);
        mtx_init(&mtx, mtx_plain);
        pthread_create(&t, 0, worker, (void *)number);
        pthread_cancel(t);
        go = 1;
        pthread_join(t, &result);
        assert(result == PTHREAD_CANCELED && !returned);
    }
    pthread_join(ended, 0);
    thrd_join(ended_too, 0);
}
// optimised
