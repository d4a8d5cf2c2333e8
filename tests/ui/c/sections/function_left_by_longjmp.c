// verdict: holds
// states: 22
// exeunt: --must-return leave
// A longjmp leaves it (docs/sections.md), and so does the end of the program.
#include <pthread.h>
#include <setjmp.h>

jmp_buf out;

void leave(void)
{
    longjmp(out, 1);
}

void *worker(void *unused)
{
    if (setjmp(out) == 0)
        leave();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0);
    for (;;) { }
}
// optimised
