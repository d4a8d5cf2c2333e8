/* A deadlock of C11 threads: each has the mutex that the other wants, after a signal that somebody waited for. */
#include <threads.h>

static mtx_t left, right;
static cnd_t begun;
static int may_begin;

static int first(void *unused) {
    (void)unused;
    mtx_lock(&left);
    may_begin = 1;
    cnd_signal(&begun);
    mtx_lock(&right);
    mtx_unlock(&right);
    mtx_unlock(&left);
    return 0;
}

static int second(void *unused) {
    (void)unused;
    mtx_lock(&right);
    thrd_yield();
    mtx_lock(&left);
    mtx_unlock(&left);
    mtx_unlock(&right);
    return 0;
}

int main(void) {
    thrd_t a, b;
    mtx_init(&left, mtx_plain);
    mtx_init(&right, mtx_plain);
    cnd_init(&begun);
    thrd_create(&a, first, 0);
    thrd_create(&b, second, 0);
    mtx_lock(&left);
    while (!may_begin) cnd_wait(&begun, &left);
    mtx_unlock(&left);
    thrd_join(a, 0);
    thrd_join(b, 0);
}
