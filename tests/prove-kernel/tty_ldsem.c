// A semaphore of the terminal layer: tries that are repeated when somebody else was faster. A writer
// could be kept waiting only by as many readers as make the counter overflow into its upper half.
// verdict: holds
// options: --thread try_read --env 'try_read*'
// verdict: violated
// options: --thread try_read --env 'reader*'
// verdict: inconclusive
// options: --thread try_write --env 'reader*'
#include "kernel.h"

struct ld_semaphore {
    atomic_long_t count;
};
#include "drivers/tty/tty_ldsem.c/LDSEM_ACTIVE_MASK"
#include "drivers/tty/tty_ldsem.c/LDSEM_ACTIVE_BIAS"
#include "drivers/tty/tty_ldsem.c/LDSEM_WAIT_BIAS"
#include "drivers/tty/tty_ldsem.c/LDSEM_READ_BIAS"
#include "drivers/tty/tty_ldsem.c/LDSEM_WRITE_BIAS"
#define rwsem_acquire_read(...) ((void)0)
#define rwsem_acquire(...) ((void)0)
#define rwsem_release(...) ((void)0)
#define lock_acquired(...) ((void)0)
static inline void ldsem_wake(struct ld_semaphore *sem) {}
#include "drivers/tty/tty_ldsem.c/ldsem_down_read_trylock"
#include "drivers/tty/tty_ldsem.c/ldsem_down_write_trylock"
#include "drivers/tty/tty_ldsem.c/ldsem_up_read"

struct ld_semaphore semaphore;
void try_read(void) { ldsem_down_read_trylock(&semaphore); }
void try_write(void) { ldsem_down_write_trylock(&semaphore); }
void reader(void) {
    if (ldsem_down_read_trylock(&semaphore))
        ldsem_up_read(&semaphore);
}
