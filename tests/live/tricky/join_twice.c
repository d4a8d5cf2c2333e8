// verdict: violated misuse
/* Joining a thread twice is undefined. */
#include <pthread.h>
static void *work(void *a) {
    return a;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(t, 0);
    return 0;
}
