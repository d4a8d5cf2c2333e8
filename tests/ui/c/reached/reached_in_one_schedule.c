// verdict: inconclusive
// warning: function is called but not defined: `somewhere_else`
// states: 26
// One schedule comes to the undefined function, and is not followed further.
#include <pthread.h>
#include <stdatomic.h>

int somewhere_else(void);

static atomic_int started;

static void *work(void *unused) {
    started = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    if (!started)
        somewhere_else();
    pthread_join(t, 0);
    return 0;
}
