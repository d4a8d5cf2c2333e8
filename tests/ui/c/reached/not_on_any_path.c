// verdict: holds
// warning: function is called but not defined: `somewhere_else`
// states: 17
// The call of an undefined function is there, and no run comes to it.
#include <pthread.h>

int somewhere_else(void);

static int started;

static void *work(void *unused) {
    started = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return started == 1 ? 0 : somewhere_else();
}
