// Integer mixing: a xorshift generator and a multiply-rotate hash over its output.
#include <stdint.h>
#include <stdio.h>

#ifndef ROUNDS
#define ROUNDS 1500000
#endif

int main(void) {
    uint64_t x = 88172645463325252u, h = 0;
    for (int i = 0; i < ROUNDS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        h = (h ^ x) * 0x9E3779B97F4A7C15u;
        h = (h << 31) | (h >> 33);
    }
    printf("%llu\n", (unsigned long long)h);
}
