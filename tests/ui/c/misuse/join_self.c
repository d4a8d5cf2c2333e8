// verdict: violated misuse
// states: 2
#include <pthread.h>

int main(void) {
    pthread_join(pthread_self(), 0); //~ error
    return 0;
}
