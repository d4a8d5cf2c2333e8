// Matrix multiplication of 32-bit integers, three nested loops.
#include <stdio.h>

#ifndef SIZE
#define SIZE 140
#endif

static unsigned a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

int main(void) {
    for (unsigned i = 0; i < SIZE; i++)
        for (unsigned j = 0; j < SIZE; j++) {
            a[i][j] = i * 7 + j;
            b[i][j] = i ^ (j * 3);
        }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            unsigned sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    unsigned total = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            total = total * 31 + c[i][j];
    printf("%u\n", total);
}
