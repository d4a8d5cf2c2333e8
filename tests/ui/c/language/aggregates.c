// verdict: holds
// states: 140
// native
// Structs by value, bit-fields, unions, nested arrays.
#include <stdio.h>

struct bits {
    unsigned low : 3;
    signed mid : 5;
    unsigned high : 24;
};

struct big {
    int values[8];
    char name[5];
};

static struct big turned(struct big b) {
    for (int i = 0; i < 4; i++) {
        int kept = b.values[i];
        b.values[i] = b.values[7 - i];
        b.values[7 - i] = kept;
    }
    return b;
}

int main(void) {
    struct bits bits = {9, -3, 0xabcdef};
    bits.low += 1;
    printf("%u %d %x %zu\n", bits.low, bits.mid, bits.high, sizeof bits);
    struct big b = {{1, 2, 3, 4, 5, 6, 7, 8}, "name"};
    struct big t = turned(b);
    printf("%d %d %d %s\n", t.values[0], t.values[7], b.values[0], t.name);
    int grid[3][2] = {{1, 2}, {3}, [2][1] = 9};
    printf("%d %d %d\n", grid[1][0], grid[1][1], grid[2][1]);
    struct big *p = &(struct big){.values = {[3] = 33}};
    printf("%d %d\n", p->values[3], p->values[4]);
    return 0;
}
