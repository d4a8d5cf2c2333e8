// The queues of the BSDs (package libbsd-dev) as a mailbox with a condition.
// BUG: the signal comes before the letter.
#include <assert.h>
#include <bsd/sys/queue.h>
#include <pthread.h>

struct letter { STAILQ_ENTRY(letter) next; };
static STAILQ_HEAD(, letter) box = STAILQ_HEAD_INITIALIZER(box);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static struct letter letter;

static void *receive(void *unused) {
    pthread_mutex_lock(&lock);
    while (STAILQ_EMPTY(&box)) pthread_cond_wait(&arrived, &lock);
    STAILQ_REMOVE_HEAD(&box, next);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, receive, 0);
#ifdef BUG
    pthread_cond_signal(&arrived);
#endif
    pthread_mutex_lock(&lock);
    STAILQ_INSERT_TAIL(&box, &letter, next);
    pthread_mutex_unlock(&lock);
#ifndef BUG
    pthread_cond_signal(&arrived);
#endif
    pthread_join(t, 0);
    assert(STAILQ_EMPTY(&box));
}
