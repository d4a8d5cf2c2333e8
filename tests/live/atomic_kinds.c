/* Each kind of atomic instruction, on operands of each size, by two threads. What each
   thread sees of its own variables is known, and the sums of the shared ones are, too. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint8_t bytes[4];
static _Atomic uint16_t words[4];
static _Atomic uint32_t ints[4];
static _Atomic uint64_t longs[4];
static double sums[2];

struct pair {
    uint64_t low, high;
};

#define OPERATIONS(of)                                                                             \
    do {                                                                                           \
        atomic_store(&of[me], 5);                                                                  \
        assert(atomic_fetch_add(&of[me], 3) == 5);                                                 \
        assert(atomic_fetch_sub(&of[me], 1) == 8);                                                 \
        assert(atomic_fetch_or(&of[me], 8) == 7);                                                  \
        assert(atomic_fetch_and(&of[me], 12) == 15);                                               \
        assert(atomic_fetch_xor(&of[me], 5) == 12);                                                \
        assert(atomic_exchange(&of[me], 100) == 9);                                                \
        old = 100;                                                                                 \
        assert(__sync_bool_compare_and_swap(&of[me], 100, 101));                                   \
        assert(!__sync_bool_compare_and_swap(&of[me], 100, 102));                                  \
        assert(of[me] == 101);                                                                     \
        atomic_fetch_add(&of[2], 1);                                                               \
        __sync_fetch_and_add(&of[2], 1);                                                           \
        --of[3];                                                                                   \
    } while (0)

static void *work(void *argument) {
    uintptr_t me = (uintptr_t)argument, old = 0;
    volatile double factor = 1.5;
    double kept = factor * (me + 1), more = factor / 3;
    OPERATIONS(bytes);
    OPERATIONS(words);
    OPERATIONS(ints);
    OPERATIONS(longs);
    (void)old;
    /* The upper half of a register is cleared by an exchange of four bytes. */
    uint64_t wide = 0xffffffffffffffff;
    __asm__ volatile("xchgl %k0, %1" : "+r"(wide), "+m"(ints[me]));
    assert(wide == 101);
    wide = 0x1122334455667788;
    __asm__ volatile("xchgw %w0, %1" : "+r"(wide), "+m"(words[me]));
    assert(wide == 0x1122334455660065);
    static struct pair pairs[2] __attribute__((aligned(16)));
    uint64_t low = 0, high = 0;
    unsigned char same;
    __asm__ volatile("lock cmpxchg16b %1\n\tsete %0"
                     : "=q"(same), "+m"(pairs[me]), "+a"(low), "+d"(high)
                     : "b"(7L), "c"(9L)
                     : "cc");
    assert(same && pairs[me].low == 7 && pairs[me].high == 9);
    __asm__ volatile("lock btsq $3, %0" : "+m"(longs[me]) : : "cc");
    assert(longs[me] == (101 | 8));
    sums[me] = kept + more;
    return 0;
}

int main(void) {
    pthread_t threads[2];
    for (uintptr_t i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, (void *)i);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
    assert(bytes[2] == 4 && words[2] == 4 && ints[2] == 4 && longs[2] == 4);
    assert(bytes[3] == 254 && longs[3] == (uint64_t)-2);
    assert(sums[0] == 2.0 && sums[1] == 3.5);
    return 0;
}
