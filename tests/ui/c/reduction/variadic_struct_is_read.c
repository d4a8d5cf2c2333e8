// verdict: violated assertion
// states: 240
// A struct that is passed by value among variadic arguments is read by the
// caller, where another thread can come before.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

struct big { long a, b, c; } shared;
volatile int go;

static long first(int n, ...)
{
    va_list list;
    va_start(list, n);
    return va_arg(list, struct big).a;
}

static void *writer(void *unused)
{
    if (go)
        shared.a = 5;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    go = 1;
    assert(first(0, shared) != 5); //~ error
    pthread_join(thread, 0);
}
// optimised
