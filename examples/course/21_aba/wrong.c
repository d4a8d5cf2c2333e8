/* Compare and exchange cannot tell. A free list without locks: take the top, give it back. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct block {
    struct block *_Atomic next;
    atomic_int used;
};

static struct block blocks[2];
static struct block *_Atomic top;

static struct block *allocate(void) {
    struct block *first = top, *next;
    do {
        if (first == NULL)
            return NULL;
        next = first->next;
    } while (!atomic_compare_exchange_strong(&top, &first, next));
    assert(first->used++ == 0);
    return first;
}

static void deallocate(struct block *block) {
    block->used--;
    struct block *first = top;
    do
        block->next = first;
    while (!atomic_compare_exchange_strong(&top, &first, block));
}

static void *other(void *unused) {
    struct block *a = allocate();
    struct block *b = allocate();
    if (a != NULL)
        deallocate(a);
    (void)b; /* in use until the end */
    return unused;
}

int main(void) {
    pthread_t thread;
    blocks[0].next = &blocks[1];
    top = &blocks[0];
    pthread_create(&thread, 0, other, 0);
    allocate();
    allocate();
    pthread_join(thread, 0);
    return 0;
}
