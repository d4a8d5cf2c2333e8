// verdict: holds
// options: --thread drain
#include <pthread.h>
struct work {
    pthread_mutex_t lock;
    int left;
};

void *drain(void *arg) {
    struct work *w = arg;
    pthread_mutex_lock(&w->lock);
    while (w->left > 0)
        w->left--;
    pthread_mutex_unlock(&w->lock);
    return arg;
}

void *fill(void *arg) {
    struct work *w = arg;
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&w->lock);
        w->left = i;
        pthread_mutex_unlock(&w->lock);
    }
    return arg;
}

int main(void) {
    static struct work work;
    pthread_t a, b;
    pthread_mutex_init(&work.lock, 0);
    pthread_create(&a, 0, drain, &work);
    pthread_create(&b, 0, fill, &work);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
