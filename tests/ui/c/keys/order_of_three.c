// verdict: violated assertion
// states: 207
// Of six orders only c, a, b fails. With pthread_exit, and C11's keys.
#include <assert.h>
#include <threads.h>

tss_t a, b, c;
int at, order;

void destroy(int which)
{
    order = 10 * order + which;
    if (++at == 3)
        assert(order != 312); //~ error
}
void destroy_a(void *value) { destroy(1); }
void destroy_b(void *value) { destroy(2); }
void destroy_c(void *value) { destroy(3); }

int worker(void *unused)
{
    tss_set(a, &at);
    tss_set(b, &at);
    tss_set(c, &at);
    thrd_exit(0);
}

int main(void)
{
    thrd_t t;
    tss_create(&a, destroy_a);
    tss_create(&b, destroy_b);
    tss_create(&c, destroy_c);
    thrd_create(&t, worker, 0);
    thrd_join(t, 0);
}
// optimised
