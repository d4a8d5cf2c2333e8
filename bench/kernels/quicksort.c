// Quicksort of an array of pseudo-random integers, then a hash of the result.
#include <stdio.h>

#ifndef SIZE
#define SIZE 120000
#endif

static unsigned values[SIZE];

static void sort(unsigned *low, unsigned *high) {
    while (low < high) {
        unsigned pivot = low[(high - low) / 2], *left = low, *right = high;
        while (left <= right) {
            while (*left < pivot)
                left++;
            while (*right > pivot)
                right--;
            if (left <= right) {
                unsigned swap = *left;
                *left++ = *right;
                *right-- = swap;
            }
        }
        if (right - low < high - left) {
            sort(low, right);
            low = left;
        } else {
            sort(left, high);
            high = right;
        }
    }
}

int main(void) {
    unsigned seed = 12345;
    for (int i = 0; i < SIZE; i++)
        values[i] = seed = seed * 1664525u + 1013904223u;
    sort(values, values + SIZE - 1);
    unsigned hash = 0;
    for (int i = 0; i < SIZE; i++)
        hash = hash * 31 + values[i];
    printf("%u\n", hash);
}
