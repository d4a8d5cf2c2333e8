// verdict: violated assertion
// states: 143
// va_start and va_copy write memory like any store: a list that others read
// is a place where threads meet.
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>

va_list list, copy;
volatile int go;

static void start(int n, ...)
{
    va_list mine;
    va_start(mine, n);
    go = 1;
    va_copy(copy, mine);
    va_start(list, n);
    va_end(mine);
    go = 2;
}

static void *reader(void *unused)
{
    /* both written by now, but not yet the next store */
    if (go == 1 && copy[0].overflow_arg_area && list[0].reg_save_area)
        assert(go == 2); //~ error
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    start(0, 1, 2);
    pthread_join(thread, 0);
}
// optimised
