// verdict: violated deadlock
/* Main joins the thread, and the thread joins main. */
#include <pthread.h>
static pthread_t first;
static void *work(void *a) {
    pthread_join(first, 0);
    return a;
}
int main(void) {
    pthread_t t;
    first = pthread_self();
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
