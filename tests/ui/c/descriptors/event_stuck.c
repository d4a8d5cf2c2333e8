// verdict: violated section
// states: 82
// Both take all of the counter: one add wakes only one of them.
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int event;
static atomic_int beats;

static void *waiter(void *unused)
{
    uint64_t value;
    read(event, &value, sizeof value); //~ error
    return unused;
}

int main(void)
{
    uint64_t two = 2;
    pthread_t a, b;
    event = eventfd(0, 0);
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    write(event, &two, sizeof two);
    for (;;) atomic_fetch_xor(&beats, 1);
}
