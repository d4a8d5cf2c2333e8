// verdict: holds
// options: --thread t --env 'e*'
#include <pthread.h>
int nondet(void);
struct device {
    int id;
    pthread_mutex_t lock;
    int pending;
} dev;

static void drain(struct device *d) {
    pthread_mutex_lock(&d->lock);
    while (d->pending > 0)
        d->pending--;
    pthread_mutex_unlock(&d->lock);
}

void t(void) {
    drain(&dev);
}

void e(void) {
    pthread_mutex_lock(&dev.lock);
    dev.pending = nondet();
    pthread_mutex_unlock(&dev.lock);
}
