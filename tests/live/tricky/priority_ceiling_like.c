// verdict: violated deadlock
/* Three threads in a circle of three locks. */
#include <pthread.h>
static pthread_mutex_t l[3];
static void *work(void *a) {
    long me = (long)a;
    pthread_mutex_lock(&l[me]);
    pthread_mutex_lock(&l[(me + 1) % 3]);
    pthread_mutex_unlock(&l[(me + 1) % 3]);
    pthread_mutex_unlock(&l[me]);
    return 0;
}
int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 3; i++) pthread_mutex_init(&l[i], 0);
    for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, work, (void *)i);
    work((void *)2);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    return 0;
}
