// verdict: violated race
// states: 8
// exeunt: --races
// sem_getvalue writes to memory.
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int g;

static void *work(void *unused) {
    if (g) //~ error
        return 0;
    return unused;
}

int main(void) {
    sem_init(&s, 0, 0);
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    sem_getvalue(&s, &g); //~ error
    pthread_join(thread, 0);
    return 0;
}
// optimised
