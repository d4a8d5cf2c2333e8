// Addresses that are hidden by arithmetic in a loop; memory that comes again.
#include <stdint.h>
#include <stdlib.h>

int main(void) {
    uintptr_t key = 0x1234567890abcdef, kept[4] = {0};
    for (int i = 0; i < 40; i++) {
        int *p = malloc(sizeof *p);
        *p = i;
        uintptr_t secret = (uintptr_t)p ^ key;
        kept[i % 4] = secret >> 1;
        int *q = (int *)(secret ^ key);
        if (*q != i) return 1;
        free(q);
    }
    return kept[0] == 1;
}
