// A ring whose indices run freely and wrap around behind the largest number.
// verdict: holds
// options: --thread take_all --env 'add*'
// verdict: violated
// options: --thread take_each --env 'add*'
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned head, tail;
int ring[16];

void take_all(void) {
    pthread_mutex_lock(&m);
    while (tail != head)
        tail++;
    pthread_mutex_unlock(&m);
}

void take_each(void) {
    for (;;) {
        pthread_mutex_lock(&m);
        int empty = tail == head;
        if (!empty)
            tail++;
        pthread_mutex_unlock(&m);
        if (empty)
            return;
    }
}

void add(void) {
    pthread_mutex_lock(&m);
    if (head - tail < 16)
        head++;
    pthread_mutex_unlock(&m);
}
