// verdict: violated misuse
/* Joining a detached thread is undefined. */
#include <pthread.h>
static void *work(void *a) {
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_detach(t);
    pthread_join(t, 0);
    return 0;
}
