// Integers of all widths, signed and unsigned, shifts that are long and short, divisions.
#include <stdint.h>
#include <stdio.h>

int main(void) {
    uint64_t sum = 0;
    uint32_t x = 1;
    for (int i = 0; i < 400; i++) {
        x = x * 1664525u + 1013904223u;
        int8_t a = (int8_t)x;
        int16_t b = (int16_t)(x >> 3);
        int32_t c = (int32_t)x, d = (int32_t)(x >> 7) - 1000;
        int64_t e = (int64_t)c * d, f = (int64_t)x - 77;
        uint8_t s = x % 31;
        sum = sum * 31 + (uint64_t)(a * b) + (uint64_t)(c >> s) + (uint64_t)(e >> (s + 20));
        sum ^= (uint64_t)(e / (f | 1)) + (uint64_t)(c % (d | 1)) + (uint64_t)(b / (a | 1));
        sum += (x >> s) + ((uint64_t)x << (s + 5)) + (sum / (x | 1)) + (sum % (s + 1));
        sum += (uint64_t)__builtin_popcountll(sum) + (uint64_t)__builtin_clz(x | 1);
        sum += (uint64_t)(a < b ? a : b) + (uint64_t)(c > d ? c : d) + (unsigned)(uint8_t)a * 3u;
        int over;
        if (__builtin_sadd_overflow(c, d, &over)) sum++;
        if (__builtin_mul_overflow(c, d, &over)) sum += 2;
        unsigned __int128 wide = (unsigned __int128)sum * x;
        sum += (uint64_t)(wide >> 40);
    }
    printf("%llu\n", (unsigned long long)sum);
}
