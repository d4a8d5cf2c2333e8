// verdict: violated section
// states: 17
// exeunt: --all
// One thread waits for something that none of those that come and go brings.
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *stay(void *unused) {
    sem_wait(&never); //~ error
    return unused;
}

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&never, 0, 0);
    pthread_create(&thread, 0, stay, 0);
    for (;;) {
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    }
}
