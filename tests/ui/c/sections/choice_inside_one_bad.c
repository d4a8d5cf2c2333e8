// verdict: violated section
// states: 16
// exeunt: --all
// One of three values chosen inside never lets the section end.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticks;

int main(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex); //~ error
    switch (exeunt_choose(3)) {
    case 0:
        break;
    case 1:
        ticks = 1;
        break;
    case 2:
        while (ticks == 0) { //~ error
        }
    }
    pthread_mutex_unlock(&mutex);
    return 0;
}
