// Pointers are stored over numbers, whole, and read back whole, in halves and byte by byte; next to them are bytes
// that look like the ends of addresses. All of it is on the heap, on the stack and in a global.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cell {
    unsigned char before[8];
    int *pointer;
    unsigned char behind[8];
};

static struct cell there;

static unsigned pieces(const struct cell *cell, unsigned round) {
    unsigned char bytes[sizeof cell->pointer];
    unsigned halves[2];
    for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = ((const unsigned char *)&cell->pointer)[i];
    memcpy(halves, &cell->pointer, sizeof halves);
    int *of_bytes, *of_halves;
    memcpy(&of_bytes, bytes, sizeof of_bytes);
    memcpy(&of_halves, halves, sizeof of_halves);
    unsigned beside = cell->before[round % 8] + cell->behind[7 - round % 8];
    return (unsigned)(*of_bytes + 3 * *of_halves) + beside;
}

int main(void) {
    struct cell *cells = calloc(6, sizeof *cells), here;
    int *numbers = calloc(40, sizeof *numbers);
    memset(&here, 0, sizeof here);
    unsigned sum = 0;
    for (unsigned round = 0; round < 160; round++) {
        struct cell *cell = round % 5 == 1 ? &here : round % 5 == 3 ? &there : &cells[round % 6];
        numbers[round % 40] += (int)round;
        cell->pointer = &numbers[round % 40];
        cell->before[round % 8] = (unsigned char)(round * 5);
        cell->behind[7 - round % 8] = (unsigned char)(0x10 + round % 16);
        sum = sum * 31 + pieces(cell, round);
    }
    printf("%u\n", sum);
    free(numbers);
    free(cells);
}
