// verdict: holds
// states: 21
// exeunt: --races
// A post is before the wait that takes it.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *work(void *unused) {
    x = 1;
    sem_post(&s);
    return unused;
}

int main(void) {
    sem_init(&s, 0, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    sem_wait(&s);
    x++;
    pthread_join(thread, 0);
    return 0;
}
// optimised
