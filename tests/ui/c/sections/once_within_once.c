// verdict: violated section
// states: 25
// exeunt: --all --sections once
// The initialisation asks for itself: the inner call waits for the outer one,
// and a thread that comes later waits for both.
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int ticks;

static void init(void) {
    pthread_once(&once, init);
}

static void *use(void *unused) {
    pthread_once(&once, init); //~ error
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    for (;;)
        ticks ^= 1;
}
