// verdict: holds
// states: 55
// native
// Conversions, shifts, division and wide integers.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    volatile int minus = -7;
    volatile unsigned char byte = 250;
    volatile int64_t big = INT64_C(1) << 40;
    printf("%d %d %d %u\n", minus / 2, minus % 2, minus >> 1, (unsigned)minus >> 28);
    printf("%d %d %d\n", (signed char)byte, (unsigned char)(byte + 10), ~byte);
    printf("%lld %d %u\n", (long long)(big * 3), (int)big, (unsigned)(big >> 20));
    unsigned __int128 wide = (unsigned __int128)big * big + 5;
    printf("%llx %llx\n", (unsigned long long)(wide >> 64), (unsigned long long)wide);
    printf("%d %d %d\n", __builtin_popcount(0xff0f), __builtin_clz(1u << 4), __builtin_ctz(64));
    int sum;
    printf("%d ", __builtin_add_overflow(2147483647, minus + 8, &sum));
    printf("%d\n", sum);
    _Bool truth = 256;
    printf("%d %x\n", truth, __builtin_bswap32(0x01020304));
    return 0;
}
