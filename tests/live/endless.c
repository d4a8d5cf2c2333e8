/* A thread locks and unlocks for ever, as it should. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    for (;;) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
}
