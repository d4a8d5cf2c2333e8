// verdict: violated misuse
// states: 3
// A mutex that nobody initialised.
#include <pthread.h>

int main(void) {
    pthread_mutex_t mutex;
    pthread_mutex_lock(&mutex); //~ error
    return 0;
}
