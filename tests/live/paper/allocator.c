/* An allocator without locks: free blocks are a list, and its root is changed by
 * compare and swap only (after Cooperman and Quinson: Sthread, 2020, their fifth
 * listing, the allocator of DMTCP).
 *
 * Whoever takes a block has looked at its successor before. If meanwhile the
 * block was taken and given back, the root is the same again and the successor
 * is another one: the swap succeeds and makes a block the root that is in use.
 * REPAIRED: the root has a count of its changes beside it.
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCKS 3

struct block {
    uint32_t next; /* the number of the next free block; 0 is none */
    uint32_t owner;
};

static struct block blocks[BLOCKS + 1];
static volatile uint64_t root;

static uint64_t changed(uint64_t seen, uint32_t first) {
#ifdef REPAIRED
    return ((seen >> 32) + 1) << 32 | first;
#else
    (void)seen;
    return first;
#endif
}

static uint32_t allocate(uint32_t owner) {
    uint64_t seen;
    uint32_t first;
    do {
        seen = root;
        first = (uint32_t)seen;
        if (first == 0)
            return 0;
    } while (!__sync_bool_compare_and_swap(&root, seen, changed(seen, blocks[first].next)));
    assert(blocks[first].owner == 0);
    blocks[first].owner = owner;
    return first;
}

static void give_back(uint32_t block, uint32_t owner) {
    uint64_t seen;
    assert(blocks[block].owner == owner);
    blocks[block].owner = 0;
    do {
        seen = root;
        blocks[block].next = (uint32_t)seen;
    } while (!__sync_bool_compare_and_swap(&root, seen, changed(seen, block)));
}

#ifndef ROUNDS
#define ROUNDS 1
#endif

static void *tester(void *unused) {
    uint32_t first = allocate(2);
    uint32_t second = allocate(2);
    if (first != 0)
        give_back(first, 2);
    (void)second; /* in use until the end */
    for (int round = 1; round < ROUNDS; round++) {
        first = allocate(2);
        if (first != 0)
            give_back(first, 2);
    }
    return unused;
}

int main(void) {
    pthread_t other;
    for (uint32_t i = BLOCKS; i > 0; i--)
        give_back(i, 0);
    pthread_create(&other, 0, tester, 0);
    allocate(1);
    allocate(1);
    pthread_join(other, 0);
    return 0;
}
