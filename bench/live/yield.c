/* Two threads give way to each other TIMES times: the price of a step. */
#include <pthread.h>
#include <sched.h>
static void *work(void *arg) {
    for (int i = 0; i < TIMES; i++) sched_yield();
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
