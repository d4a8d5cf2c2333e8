// An array is private for a while, then another thread gets it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *handed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
    (void)arg;
    pthread_mutex_lock(&mutex);
    int *mine = handed;
    pthread_mutex_unlock(&mutex);
    if (mine)
        for (int i = 0; i < 3; i++) mine[i]++;
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    int *a = malloc(50 * sizeof *a), sum = 0;
    for (int i = 0; i < 50; i++) a[i] = i;
    pthread_mutex_lock(&mutex);
    handed = a;
    pthread_mutex_unlock(&mutex);
    for (int i = 0; i < 4; i++) sum += a[i];
    pthread_join(t, 0);
    for (int i = 4; i < 50; i++) sum += a[i];
    assert(sum == 1225);
    free(a);
}
