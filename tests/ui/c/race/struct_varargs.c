// verdict: violated race
// states: 11
// exeunt: --races
// A struct that is passed through `...` is read when it is passed.
#include <pthread.h>
#include <stdarg.h>

struct big { long a, b, c; };
static struct big s;

static long sum(int n, ...) {
    va_list list;
    va_start(list, n);
    struct big b = va_arg(list, struct big);
    va_end(list);
    return b.a + b.b;
}

static void *work(void *unused) {
    s.b = 1; //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    sum(1, s); //~ error
    pthread_join(thread, 0);
    return 0;
}
// optimised
