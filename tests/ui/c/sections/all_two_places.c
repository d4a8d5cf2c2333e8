// verdict: violated section
// states: 45
// exeunt: --all --sections critical
// Two ways to take the lock come to one state in which it is never given
// back. Each of them is a place to look at.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int hurry, ticks;

static void *work(void *unused) {
    if (hurry) {
        while (pthread_mutex_trylock(&m)) { //~ error
        }
    } else {
        pthread_mutex_lock(&m); //~ error
    }
    for (;;)
        ticks ^= 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    hurry = 1;
    pthread_join(thread, 0);
    return 0;
}
