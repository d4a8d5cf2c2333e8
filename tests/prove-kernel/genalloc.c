// Bits of an allocator, set and cleared without a lock. Where others only set bits, the word grows whenever they were faster.
// verdict: holds
// options: --thread set --env 'set*'
// verdict: holds
// options: --thread clear --env 'clear*'
// verdict: inconclusive
// options: --thread set --env 'set*,clear*'
#include "kernel.h"
#include "lib/genalloc.c/set_bits_ll"
#include "lib/genalloc.c/clear_bits_ll"

unsigned long word;
void set(unsigned long mask) { set_bits_ll(&word, mask); }
void clear(unsigned long mask) { clear_bits_ll(&word, mask); }
