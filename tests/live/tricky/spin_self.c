// verdict: violated deadlock
/* A spin lock that its holder locks again. */
#include <pthread.h>
static pthread_spinlock_t l;
int main(void) {
    pthread_spin_init(&l, 0);
    pthread_spin_lock(&l);
    pthread_spin_lock(&l);
    return 0;
}
