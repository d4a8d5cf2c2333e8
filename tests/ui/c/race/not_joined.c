// verdict: violated race
// states: 15
// exeunt: --races
// That a thread has ended orders nothing: only joining it does.
#include <pthread.h>
#include <semaphore.h>

static int x;
static sem_t done;

static void *work(void *unused) {
    sem_post(&done);
    x = 1; //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
    sem_wait(&done);
    x = 2; //~ error
    return 0;
}
