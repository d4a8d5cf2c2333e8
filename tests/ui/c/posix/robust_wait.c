// verdict: holds
// states: 74
// A thread may die while others wait for its robust mutex, in a lock or at the end of a wait.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *dies(void *unused)
{
    int got = pthread_mutex_lock(&m);
    assert(got == 0 || got == EOWNERDEAD);
    if (got) pthread_mutex_consistent(&m);
    ready = 1;
    pthread_cond_signal(&c);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t a;
    pthread_t t;
    pthread_mutexattr_init(&a);
    pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &a);
    pthread_create(&t, NULL, dies, NULL);
    int got = pthread_mutex_lock(&m);
    assert(got == (ready ? EOWNERDEAD : 0));
    while (!ready) {
        got = pthread_cond_wait(&c, &m);
        assert(got == (ready ? EOWNERDEAD : 0));
    }
    assert(pthread_mutex_consistent(&m) == 0);
    assert(pthread_mutex_unlock(&m) == 0);
    pthread_join(t, NULL);
}
