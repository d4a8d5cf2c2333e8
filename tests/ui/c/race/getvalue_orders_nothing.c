// verdict: violated race
// states: 43
// exeunt: --races
// Looking at a semaphore is not taking it. The two are never about to
// access `x` at the same time.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *work(void *unused) {
    x = 1; //~ error
    sem_post(&s);
    return unused;
}

int main(void) {
    sem_init(&s, 0, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int value;
    sem_getvalue(&s, &value);
    if (value)
        x = 2; //~ error
    pthread_join(thread, 0);
    return 0;
}
