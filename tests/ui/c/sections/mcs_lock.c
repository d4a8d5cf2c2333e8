// verdict: holds
// states: 5416
// exeunt: --exit-code
// The queue lock of Mellor-Crummey and Scott: each waits for its own flag.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct waiter {
    _Atomic(struct waiter *) next;
    atomic_int locked;
};

static _Atomic(struct waiter *) last;
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
        struct waiter *self = me;
        if (atomic_compare_exchange_strong(&last, &self, NULL))
            return;
        while (me->next == NULL) {
        }
    }
    struct waiter *next = me->next;
    next->locked = 0;
}

static void *work(void *unused) {
    struct waiter me;
    lock(&me);
    shared++;
    unlock(&me);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return shared != 2;
}
