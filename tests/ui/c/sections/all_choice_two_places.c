// verdict: violated section
// states: 17
// exeunt: --all --sections critical
// The input chooses where the lock is taken, and whether it is given back.
#include <exeunt.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    if (exeunt_choose(2))
        pthread_mutex_lock(&m); //~ error
    else
        pthread_mutex_lock(&m); //~ error
    while (exeunt_choose(2)) {
    }
    pthread_mutex_unlock(&m);
    return 0;
}
