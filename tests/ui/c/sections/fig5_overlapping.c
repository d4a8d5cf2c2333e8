// verdict: violated section
// states: 9
// exeunt: --all --sections critical
// The outer section is left before the loop, the inner one never.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static atomic_int work;

int main(void) {
    pthread_mutex_lock(&m1);
    pthread_mutex_lock(&m2); //~ error
    pthread_mutex_unlock(&m1);
    for (;;)
        work ^= 1;
}
