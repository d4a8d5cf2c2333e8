// The lock-free stack of Userspace RCU (package liburcu-dev).
// BUG: a node is pushed again while it is in the stack.
#define _LGPL_SOURCE
#include <assert.h>
#include <pthread.h>
#include <urcu/lfstack.h>

static struct cds_lfs_stack stack;
static struct cds_lfs_node nodes[2];

static void *push(void *node) { cds_lfs_push(&stack, node); return 0; }

int main(void) {
    pthread_t t;
    int count = 0;
    cds_lfs_init(&stack);
    pthread_create(&t, 0, push, &nodes[0]);
#ifdef BUG
    push(&nodes[0]);
#else
    push(&nodes[1]);
#endif
    pthread_join(t, 0);
    while (cds_lfs_pop_blocking(&stack)) assert(++count <= 2);
    assert(count == 2);
}
