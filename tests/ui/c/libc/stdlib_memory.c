// verdict: holds
// states: 797
// native
// The heap.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *volatile p = malloc(10);
    strcpy(p, "123456789");
    p = realloc(p, 100);
    printf("%s\n", p);
    p = realloc(p, 4);
    printf("%.4s\n", p);
    free(p);
    int *volatile numbers = calloc(5, sizeof *numbers);
    for (int i = 0; i < 5; i++)
        printf("%d ", numbers[i]);
    numbers = reallocarray(numbers, 6, sizeof *numbers);
    numbers[5] = 5;
    printf("%d\n", numbers[5]);
    free(numbers);
    free(NULL);
    char *fresh = realloc(NULL, 3);
    printf("%d\n", fresh != NULL);
    free(fresh);

    volatile size_t huge = SIZE_MAX / 2;
    errno = 0;
    char *volatile none = malloc(huge);
    printf("%d ", none == NULL);
    printf("%d ", errno == ENOMEM);
    errno = 0;
    none = calloc(huge, 16);
    printf("%d ", none == NULL);
    printf("%d\n", errno == ENOMEM);

    void *aligned;
    printf("%d %d ", posix_memalign(&aligned, 64, 100), (int)((uintptr_t)aligned % 64));
    free(aligned);
    printf("%d ", posix_memalign(&aligned, 3, 100) == EINVAL);
    aligned = aligned_alloc(4096, 8192);
    printf("%d ", (int)((uintptr_t)aligned % 4096));
    free(aligned);
    aligned = memalign(32, 5);
    printf("%d ", (int)((uintptr_t)aligned % 32));
    free(aligned);
    aligned = valloc(5);
    printf("%d %d\n", (int)((uintptr_t)aligned % 4096), malloc_usable_size(aligned) >= 5);
    free(aligned);
    return 0;
}
