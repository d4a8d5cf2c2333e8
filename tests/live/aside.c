/* PART 1: a thread unlocks what it has not locked, and the text is printed.
 * PART 2: two threads lock each other out while the main thread runs on. */
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
#if PART == 1
static void *work(void *arg) {
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void) {
    pthread_t t;
    printf("hello\n");
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return a.__data.__kind + b.__data.__kind;
}
#else
static void *left(void *arg) {
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}
static void *right(void *arg) {
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, left, 0);
    pthread_create(&u, 0, right, 0);
    for (;;) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
    }
}
#endif
