#include <pthread.h>

static int hits;

static void *hit(void *unused) {
    hits++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, hit, 0);
    hits++;
    pthread_join(thread, 0);
    return hits == 2 ? 0 : 1;
}
