// The wait-free queue of Userspace RCU (package liburcu-dev).
// BUG: two consumers without the lock that they need.
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/wfcqueue.h>

static struct cds_wfcq_head head;
static struct cds_wfcq_tail tail;
static struct cds_wfcq_node nodes[2];
static _Atomic int taken;

static void *take(void *unused) {
#ifdef BUG
    struct cds_wfcq_node *got = __cds_wfcq_dequeue_blocking(&head, &tail);
#else
    struct cds_wfcq_node *got = cds_wfcq_dequeue_blocking(&head, &tail);
#endif
    if (got) taken++;
    return unused;
}

static void *put(void *node) { cds_wfcq_enqueue(&head, &tail, node); return 0; }

int main(void) {
    pthread_t a, b;
    cds_wfcq_init(&head, &tail);
    put(&nodes[0]);
    pthread_create(&a, 0, take, 0);
    pthread_create(&b, 0, put, &nodes[1]);
    take(0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    while (__cds_wfcq_dequeue_blocking(&head, &tail)) taken++;
    assert(taken == 2);
}
