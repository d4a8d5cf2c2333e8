/* Compare and exchange cannot tell. A free list without locks: take the top, give it back. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks by number from one; the word has the number of the top block in its
 * lower half and a count of changes in its upper one. */
struct block {
    atomic_uint next;
    atomic_int used;
};

static struct block blocks[3];
static _Atomic uint64_t top;

static unsigned allocate(void) {
    uint64_t seen = top, wanted;
    unsigned first;
    do {
        first = (unsigned)seen;
        if (first == 0)
            return 0;
        wanted = ((seen >> 32) + 1) << 32 | blocks[first].next;
    } while (!atomic_compare_exchange_strong(&top, &seen, wanted));
    assert(blocks[first].used++ == 0);
    return first;
}

static void deallocate(unsigned block) {
    blocks[block].used--;
    uint64_t seen = top, wanted;
    do {
        blocks[block].next = (unsigned)seen;
        wanted = ((seen >> 32) + 1) << 32 | block;
    } while (!atomic_compare_exchange_strong(&top, &seen, wanted));
}

static void *other(void *unused) {
    unsigned a = allocate();
    unsigned b = allocate();
    if (a != 0)
        deallocate(a);
    (void)b; /* in use until the end */
    return unused;
}

int main(void) {
    pthread_t thread;
    blocks[1].used = blocks[2].used = 1;
    deallocate(2);
    deallocate(1);
    pthread_create(&thread, 0, other, 0);
    allocate();
    allocate();
    pthread_join(thread, 0);
    return 0;
}
