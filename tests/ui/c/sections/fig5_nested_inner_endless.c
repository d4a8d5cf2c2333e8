// verdict: violated section
// states: 8
// exeunt: --all --sections critical
// Štill and Barnat, Fig. 5 with an endless loop inside: neither section is left.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m2 = PTHREAD_MUTEX_INITIALIZER;
static atomic_int work;

int main(void) {
    pthread_mutex_lock(&m1); //~ error
    pthread_mutex_lock(&m2); //~ error
    for (;;)
        work ^= 1;
}
