// verdict: holds
// states: 1534
// A readers-writer lock built from a mutex and a condition: whoever changes
// what others wait for wakes all of them.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers;
static bool writing;

static void *reader(void *unused) {
    pthread_mutex_lock(&mutex);
    while (writing)
        pthread_cond_wait(&changed, &mutex);
    readers++;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    assert(!writing);
    if (--readers == 0)
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *writer(void *unused) {
    pthread_mutex_lock(&mutex);
    while (writing || readers > 0)
        pthread_cond_wait(&changed, &mutex);
    writing = true;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    assert(readers == 0);
    writing = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t r, w;
    pthread_create(&r, 0, reader, 0);
    pthread_create(&w, 0, writer, 0);
    writer(0);
    pthread_join(r, 0);
    pthread_join(w, 0);
    return 0;
}
