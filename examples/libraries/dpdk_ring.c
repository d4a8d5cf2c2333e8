// The ring of DPDK (package libdpdk-dev) with two producers.
// BUG: the ring was made for one producer.
// flags: -I/usr/include/dpdk -I/usr/include/x86_64-linux-gnu/dpdk
#include <assert.h>
#include <pthread.h>
#include <rte_ring.h>

static struct { struct rte_ring ring; void *slots[4]; } memory;
static int items[] = {1, 2};

static void *produce(void *item) { rte_ring_enqueue(&memory.ring, item); return 0; }

int main(void) {
    struct rte_ring *ring = &memory.ring;
    ring->size = 4;
    ring->mask = ring->capacity = 3;
#ifdef BUG
    ring->prod.sync_type = RTE_RING_SYNC_ST;
#endif
    pthread_t t;
    void *got;
    int sum = 0;
    pthread_create(&t, 0, produce, &items[0]);
    produce(&items[1]);
    pthread_join(t, 0);
    while (rte_ring_dequeue(ring, &got) == 0) sum += *(int *)got;
    assert(sum == 3);
}
