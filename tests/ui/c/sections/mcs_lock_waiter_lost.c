// verdict: violated section
// states: 269
// exeunt: --sections function
// The unlock stores NULL without looking whether somebody has come in the
// meantime, and that one waits for a flag that nobody clears.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_int locked;
};

static _Atomic(struct waiter *) last;
static struct waiter waiters[2];
static int shared;

EXEUNT_MUST_RETURN static void lock(struct waiter *me) {
    me->next = NULL;
    me->locked = 1;
    struct waiter *before = atomic_exchange(&last, me);
    if (before == NULL)
        return;
    before->next = me;
    while (me->locked) {
    }
}

EXEUNT_MUST_RETURN static void unlock(struct waiter *me) {
    if (me->next == NULL) {
        last = NULL;
        return;
    }
    struct waiter *next = me->next;
    next->locked = 0;
}

static void *work(void *me) {
    lock(me); //~ error
    shared++;
    unlock(me);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, &waiters[0]);
    pthread_create(&b, 0, work, &waiters[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return shared != 2;
}
