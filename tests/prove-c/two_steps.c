// verdict: holds lck != 1 || x' <= x
// options: --thread t1 --integers mathematical
#include <pthread.h>
#include <stdatomic.h>
int nondet(void);

pthread_mutex_t lck = PTHREAD_MUTEX_INITIALIZER;
_Atomic int x;
int y;

void *t1(void *arg) {
    pthread_mutex_lock(&lck);
    while (x > 0)
        x = x - 1; // a read and a write
    pthread_mutex_unlock(&lck);
    return arg;
}

void *t2(void *arg) {
    while (nondet())
        atomic_fetch_sub(&x, 1);
    return arg;
}

void *t3(void *arg) {
    while (nondet()) {
        y = y + 1;
        pthread_mutex_lock(&lck);
        x = nondet();
        pthread_mutex_unlock(&lck);
    }
    return arg;
}

int main(void) {
    pthread_t p[3];
    pthread_create(&p[0], 0, t1, 0);
    pthread_create(&p[1], 0, t2, 0);
    pthread_create(&p[2], 0, t3, 0);
    return 0;
}
