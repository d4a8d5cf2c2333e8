// verdict: violated race
// states: 11
// exeunt: --races
// What follows the post is not ordered by it.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int x;

static void *work(void *unused) {
    sem_post(&s);
    x = 1; //~ error
    return unused;
}

int main(void) {
    sem_init(&s, 0, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    sem_wait(&s);
    x++; //~ error
    pthread_join(thread, 0);
    return 0;
}
// optimised
