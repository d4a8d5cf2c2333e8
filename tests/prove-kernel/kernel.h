// What functions of the kernel need around them, written for these tests: types, locks without a
// body, and atomic operations in terms of the compiler's.
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char u8, __u8;
typedef unsigned short u16, __u16;
typedef unsigned int u32, __u32, gfp_t;
typedef unsigned long u64;

#define __iomem
#define __always_inline inline
#define __releases(lock)
#define __acquires(lock)
#define unlikely(x) (x)
#define likely(x) (x)
#define typeof __typeof__
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define READ_ONCE(x) (*(const volatile typeof(x) *)&(x))
#define BUG_ON(condition) do { if (condition) abort(); } while (0)
#define BUILD_BUG_ON(condition) _Static_assert(!(condition), "")
#define GFP_ATOMIC 0
enum { ESHUTDOWN = 108, EINPROGRESS = 115, EBUSY = 16, EINVAL = 22, ECONNRESET = 104, EIO = 5 };

static inline void *kmalloc(size_t size, gfp_t flags) { return malloc(size); }
static inline void kfree(void *memory) { free(memory); }
static inline void cpu_relax(void) {}
static inline void udelay(unsigned long time) {}
static inline void msleep(unsigned time) {}
static inline void touch_nmi_watchdog(void) {}
#define dev_dbg(device, ...) ((void)0)

// Locks that the prover knows by their names.
typedef struct {
    int raw;
} spinlock_t;
void spin_lock(spinlock_t *);
void spin_unlock(spinlock_t *);
void spin_lock_irq(spinlock_t *);
void spin_unlock_irq(spinlock_t *);
void spin_lock_bh(spinlock_t *);
void spin_unlock_bh(spinlock_t *);
#define spin_lock_irqsave(lock, flags) ((flags) = 0, spin_lock(lock))
#define spin_unlock_irqrestore(lock, flags) ((void)(flags), spin_unlock(lock))
struct mutex {
    int raw;
};
void mutex_lock(struct mutex *);
void mutex_unlock(struct mutex *);

typedef struct {
    int waiting;
} wait_queue_head_t;
static inline void wake_up(wait_queue_head_t *queue) {}

typedef struct {
    int counter;
} atomic_t;
typedef struct {
    long counter;
} atomic_long_t;
#define atomic_read(v) __atomic_load_n(&(v)->counter, __ATOMIC_SEQ_CST)
#define atomic_inc(v) ((void)__atomic_add_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST))
#define atomic_dec(v) ((void)__atomic_sub_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST))
#define atomic_long_read(v) atomic_read(v)
#define atomic_long_add_return(n, v) __atomic_add_fetch(&(v)->counter, (n), __ATOMIC_SEQ_CST)
#define try_cmpxchg(p, old, new) \
    __atomic_compare_exchange_n(p, old, new, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)
#define atomic_try_cmpxchg_acquire(v, old, new) try_cmpxchg(&(v)->counter, old, new)
#define atomic_long_try_cmpxchg(v, old, new) try_cmpxchg(&(v)->counter, old, new)
#define arch_atomic_read(v) atomic_read(v)
#define arch_atomic_try_cmpxchg(v, old, new) try_cmpxchg(&(v)->counter, old, new)
#define cmpxchg(p, old, new) \
    ({ typeof(*(p)) seen_ = (old); try_cmpxchg(p, &seen_, new); seen_; })
