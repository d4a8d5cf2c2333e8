// A table in pieces: strides, ends of pieces, reads and writes of all sizes.
#include <stdint.h>
#include <stdio.h>

static union { uint8_t b[4096]; uint16_t h[2048]; uint32_t w[1024]; uint64_t d[512]; } table;
static const uint32_t constants[300] = {[7] = 7, [255] = 9, [299] = 11};

int main(void) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < 4096; i += 3) table.b[i] = (uint8_t)(i * 37);
    for (unsigned i = 0; i < 2048; i += 5) table.h[i] ^= (uint16_t)(i * 91);
    for (unsigned i = 0; i < 1024; i += 7) table.w[i] += i * 1664525u;
    for (unsigned i = 0; i < 512; i++) table.d[i] = table.d[i] * 3 + table.d[511 - i];
    for (unsigned i = 0; i + 4 < 4096; i += 61) {
        uint32_t odd;
        __builtin_memcpy(&odd, &table.b[i], 4);
        sum = sum * 31 + odd;
    }
    for (unsigned i = 0; i < 300; i++) sum += constants[i] * (uint64_t)i;
    printf("%llu\n", (unsigned long long)sum);
}
