// Atomic operations with a condition, repeated until nobody was faster. The largest number is followed
// by the smallest one, after which nobody goes on.
// verdict: holds
// options: --thread down --env 'down*'
// verdict: violated
// options: --thread down --env 'down*,up*'
// verdict: holds
// options: --thread up --env 'up*'
// verdict: violated
// options: --thread add_unless --env 'down*,up*'
#include "kernel.h"
#include "include/linux/atomic/atomic-arch-fallback.h/arch_atomic_dec_if_positive"
#include "include/linux/atomic/atomic-arch-fallback.h/arch_atomic_inc_unless_negative"
#include "include/linux/atomic/atomic-arch-fallback.h/arch_atomic_fetch_add_unless"

atomic_t number;
void down(void) { arch_atomic_dec_if_positive(&number); }
void up(void) { arch_atomic_inc_unless_negative(&number); }
void add_unless(void) { arch_atomic_fetch_add_unless(&number, 2, 0); }
