// Flags in words that other threads set and clear, and bitmaps from which bits are taken.
// verdict: holds
// options: --thread serve --env 'serve*,acknowledge*'
// verdict: violated
// options: --thread serve --env 'raise*'
// verdict: holds
// options: --thread serve_locked --env 'serve_locked*,raise_locked*'
// verdict: violated
// options: --thread serve_locked --env 'raise*'
// verdict: holds
// options: --thread take --env 'take*,take_given*'
// verdict: holds
// options: --thread take --env 'give_back*'
// verdict: holds
// options: --thread search --env 'take_given*,search*'
// verdict: violated
// options: --thread search --env 'take_given*,give_back*'
// verdict: violated
// options: --thread turn --env 'acknowledge*'
#include <pthread.h>

unsigned nondet_number(void);

unsigned pending = ~0u;
unsigned bitmap;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void serve(void) {
    unsigned seen;
    while ((seen = __atomic_load_n(&pending, __ATOMIC_SEQ_CST)) != 0)
        __atomic_fetch_and(&pending, ~(seen & -seen), __ATOMIC_SEQ_CST);
}

void serve_locked(void) {
    pthread_mutex_lock(&lock);
    while (pending)
        pending &= ~(1u << __builtin_ctz(pending));
    pthread_mutex_unlock(&lock);
}

void acknowledge(void) {
    unsigned bit = nondet_number() & 31;
    __atomic_fetch_and(&pending, ~(1u << bit), __ATOMIC_SEQ_CST);
}

void raise(void) {
    unsigned bit = nondet_number() & 31;
    __atomic_fetch_or(&pending, 1u << bit, __ATOMIC_SEQ_CST);
}

void raise_locked(void) {
    unsigned bit = nondet_number() & 31;
    pthread_mutex_lock(&lock);
    pending |= 1u << bit;
    pthread_mutex_unlock(&lock);
}

// The lowest bit that is free.
void take(void) {
    for (;;) {
        unsigned seen = __atomic_load_n(&bitmap, __ATOMIC_SEQ_CST);
        if (seen == ~0u)
            return;
        unsigned bit = ~seen & -~seen;
        if (!(__atomic_fetch_or(&bitmap, bit, __ATOMIC_SEQ_CST) & bit))
            return;
    }
}

void take_given(void) {
    unsigned bit = nondet_number() & 31;
    __atomic_fetch_or(&bitmap, 1u << bit, __ATOMIC_SEQ_CST);
}

void give_back(void) {
    unsigned bit = nondet_number() & 31;
    __atomic_fetch_and(&bitmap, ~(1u << bit), __ATOMIC_SEQ_CST);
}

// One bit after the other; the same one again if it was taken meanwhile.
void search(void) {
    for (unsigned bit = 0; bit < 32; ) {
        unsigned mask = 1u << bit;
        if (__atomic_load_n(&bitmap, __ATOMIC_SEQ_CST) & mask) {
            bit++;
            continue;
        }
        if (!(__atomic_fetch_or(&bitmap, mask, __ATOMIC_SEQ_CST) & mask))
            return;
    }
}

// Others clear the bit between the two steps, so that it is set again.
void turn(void) {
    while (pending & 1)
        __atomic_fetch_xor(&pending, 1u, __ATOMIC_SEQ_CST);
}
