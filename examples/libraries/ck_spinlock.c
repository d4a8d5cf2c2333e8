// The ticket lock of Concurrency Kit (package libck-dev).
// BUG: one thread forgets to unlock on one path.
#include <assert.h>
#include <ck_spinlock.h>
#include <pthread.h>

static ck_spinlock_ticket_t lock = CK_SPINLOCK_TICKET_INITIALIZER;
static int counter;

static void *work(void *unused) {
    ck_spinlock_ticket_lock(&lock);
    int before = counter++;
#ifdef BUG
    if (before == 1) return unused;
#endif
    assert(counter == before + 1);
    ck_spinlock_ticket_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
    work(0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    assert(counter == 3);
}
