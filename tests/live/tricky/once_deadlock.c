// verdict: violated deadlock
/* The function of a once waits for a thread that waits for the once. */
#include <pthread.h>
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_t t;
static void make(void) {
    pthread_join(t, 0);
}
static void *work(void *a) {
    pthread_once(&once, make);
    return a;
}
int main(void) {
    pthread_create(&t, 0, work, 0);
    pthread_once(&once, make);
    return 0;
}
