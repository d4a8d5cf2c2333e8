// Arithmetic of the kernel's library: bits, roots, powers, divisors.
// verdict: holds
// options: --thread power --env ''
// verdict: holds
// options: --thread root --env ''
// verdict: holds
// options: --thread multiply --env ''
// verdict: holds
// options: --thread reverse --env ''
#include "kernel.h"

static inline unsigned long __fls(unsigned long word) { return 63 - __builtin_clzl(word); }
#include "lib/math/int_pow.c/int_pow"
#include "lib/math/int_sqrt.c/int_sqrt"
typedef unsigned char uint8_t;
#include "lib/raid6/mktables.c/gfmul"
#include "lib/zlib_deflate/defutil.h/bi_reverse"

u64 power(u64 base, unsigned exp) { return int_pow(base, exp); }
unsigned long root(unsigned long x) { return int_sqrt(x); }
u8 multiply(u8 a, u8 b) { return gfmul(a, b); }
unsigned reverse(unsigned code, unsigned length) { return bi_reverse(code, 1 + length % 15u); }
