// verdict: violated memory
// states: 25
// A function that only wraps malloc is seen through: line 24 is named, not line 10.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void *xmalloc(size_t size) {
    if (size > SIZE_MAX / 2)
        abort();
    void *memory = malloc(size);
    if (!memory) {
        fprintf(stderr, "out of memory\n");
        abort();
    }
    return memory;
}

static int *numbers(int count) {
    return xmalloc(count * sizeof(int));
}

int main(void) {
    int *first = numbers(4);
    int *second = numbers(2);
    second[2] = first[0] = 1; //~ error
    return second[2];
}
