// Matrix multiplication of doubles, three nested loops.
#include <stdio.h>

#ifndef SIZE
#define SIZE 140
#endif

static double a[SIZE][SIZE], b[SIZE][SIZE], c[SIZE][SIZE];

int main(void) {
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = i * 0.5 + j;
            b[i][j] = i - j * 0.25;
        }
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            double sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    double total = 0;
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            total = total * 0.5 + c[i][j];
    printf("%.3f\n", total);
}
