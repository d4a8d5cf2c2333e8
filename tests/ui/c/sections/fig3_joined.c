// verdict: violated section
// states: 24
// exeunt: --all
// Štill and Barnat, Fig. 3 with a main that joins: the critical sections end, the
// join of a thread that runs for ever does not.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *endless(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, endless, 0);
    pthread_create(&second, 0, endless, 0);
    pthread_join(first, 0); //~ error
    pthread_join(second, 0);
    return 0;
}
