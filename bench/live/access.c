/* Two threads write TIMES times to memory of their own, each write a step. */
#include <pthread.h>
static volatile long cells[2][64];
static void *work(void *arg) {
    volatile long *own = arg;
    for (int i = 0; i < TIMES; i++) own[i % 64] = i;
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, (void *)cells[1]);
    work((void *)cells[0]);
    pthread_join(t, 0);
    return 0;
}
