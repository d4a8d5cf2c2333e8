// verdict: holds
// states: 642
// native
// qsort and bsearch call back.
#include <stdio.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int numbers[] = {5, 3, 9, 1, 7, 3};
    int count = sizeof numbers / sizeof *numbers, key = 7;
    qsort(numbers, count, sizeof *numbers, compare);
    for (int i = 0; i < count; i++)
        printf("%d ", numbers[i]);
    int *found = bsearch(&key, numbers, count, sizeof *numbers, compare);
    printf("at %d\n", (int)(found - numbers));
    return 0;
}
