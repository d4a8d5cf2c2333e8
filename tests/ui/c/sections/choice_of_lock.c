// verdict: violated section
// states: 91
// exeunt: --all --sections mutex-wait
// Which of two mutexes is wanted is an input, and one of them is never free.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static atomic_int ticks;

static void *hold(void *unused) {
    pthread_mutex_lock(&locks[1]);
    for (;;)
        ticks ^= 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, hold, 0);
    int which = exeunt_choose(2);
    pthread_mutex_lock(&locks[which]); //~ error
    pthread_mutex_unlock(&locks[which]);
    return 0;
}
