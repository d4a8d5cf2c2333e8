// verdict: violated section
// states: 660
// exeunt: --all
// The path on which nothing is to be done forgets to unlock. Its thread has
// ended then, and the other one waits for ever while main works.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int jobs = 1;
static atomic_int ticks;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex); //~ error
    if (jobs == 0)
        return unused;
    jobs--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_create(&c, 0, work, 0);
    for (;;)
        ticks ^= 1;
}
