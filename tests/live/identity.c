/* Each thread has a number and processors of its own, as the kernel sees it. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
static pid_t ids[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    long me = (long)arg;
    pthread_mutex_lock(&m);
    ids[me] = gettid();
    pthread_mutex_unlock(&m);
    cpu_set_t set, got;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    if (me == 0) assert(sched_setaffinity(0, sizeof set, &set) == 0);
    pthread_mutex_lock(&m);
    assert(ids[me] == gettid());
    assert(sched_getaffinity(0, sizeof got, &got) == 0);
    assert(me == 1 || CPU_COUNT(&got) == 1);
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, (void *)0);
    pthread_create(&u, 0, work, (void *)1);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(ids[0] != ids[1] && ids[0] != gettid() && ids[1] != gettid());
    return 0;
}
