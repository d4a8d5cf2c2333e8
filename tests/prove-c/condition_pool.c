// A worker that waits for jobs, or for the end. Who wakes it for nothing keeps it busy.
// verdict: holds
// options: --thread work
// verdict: holds
// options: --thread work --env 'add*,end'
// verdict: violated
// options: --thread work --env 'add*,nudge*'
#include <pthread.h>
#include <stdbool.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
bool stop;
int jobs;

void *work(void *arg) {
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&m);
        while (!stop && jobs == 0)
            pthread_cond_wait(&c, &m);
        if (stop) {
            pthread_mutex_unlock(&m);
            return arg;
        }
        jobs--;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

void *add(void *arg) {
    pthread_mutex_lock(&m);
    if (jobs < 1000)
        jobs++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

void *nudge(void *arg) {
    pthread_cond_signal(&c);
    return arg;
}

void end(void) {
    pthread_mutex_lock(&m);
    stop = true;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
}

int main(void) {
    pthread_t worker, adder;
    pthread_create(&worker, 0, work, 0);
    pthread_create(&adder, 0, add, 0);
    end();
    pthread_join(worker, 0);
    pthread_join(adder, 0);
}
