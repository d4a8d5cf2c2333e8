// Functions called through a table; pointers in arrays, at odd places and taken apart.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static int both(int a, int b) { return mul(a, b) + add(a, b); }
static int (*const table[])(int, int) = {add, mul, both};

#pragma pack(1)
struct odd { char c; int *p; short s; };
#pragma pack()

int main(void) {
    int cells[16] = {0};
    int *all[16];
    struct odd odd[16];
    for (int r = 0; r < 40; r++) {
        for (int i = 0; i < 16; i++) {
            all[i] = &cells[(i * 7 + r) % 16];
            odd[i].p = all[i];
            odd[i].s = (short)(i + 0x5354);
        }
        for (int i = 0; i < 16; i++) {
            *all[i] = table[(r + i) % 3](*all[i] & 255, i);
            *odd[15 - i].p += odd[i].s & 1;
        }
        unsigned char bytes[sizeof(int *)];
        for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = ((unsigned char *)&all[r % 16])[i];
        int *again;
        memcpy(&again, bytes, sizeof again);
        *again += 1;
        uintptr_t number = (uintptr_t)all[3];
        *(int *)number += 2;
    }
    unsigned sum = 0;
    for (int i = 0; i < 16; i++) sum = sum * 31 + (unsigned)cells[i];
    printf("%u\n", sum);
}
