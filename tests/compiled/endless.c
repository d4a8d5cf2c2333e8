// A private loop that never ends, beside a thread that does.
#include <pthread.h>

static void *work(void *arg) {
    (void)arg;
    unsigned x = 1;
    for (;;) {
        x = x * 5 + 1;
        if (x == 0) x = 1;
        x &= 1023;
    }
    return 0;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
}
