// Two threads add in loops without a lock: updates are lost.
#include <assert.h>
#include <pthread.h>

static int sum;

static int weigh(int x) {
    int w = 0;
    for (int i = 0; i < 40; i++) w += (x ^ i) & 1;
    return w;
}

static void *work(void *arg) {
    for (int r = 0; r < 2; r++) sum += weigh((int)(long)arg) == 20;
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(sum == 4);
}
