// A lock and a counter in one word: both are exchanged together, a hundred times at most, and then the
// lock is taken.
// verdict: holds
// options: --thread get --env 'get*,put*'
#include "kernel.h"

struct lockref {
    union {
        u64 lock_count;
        struct {
            spinlock_t lock;
            int count;
        };
    };
};
#define arch_spin_value_unlocked(value) (old.lock.raw == 0)
#define try_cmpxchg64_relaxed(p, old, new) try_cmpxchg(p, old, new)
#include "lib/lockref.c/CMPXCHG_LOOP"
#include "lib/lockref.c/lockref_get"
#include "lib/lockref.c/lockref_put_not_zero"

struct lockref entry;
void get(void) { lockref_get(&entry); }
void put(void) { lockref_put_not_zero(&entry); }
