// verdict: violated memory
// states: 3
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    printf("%d\n", *p); //~ error
    free(p);
    return 0;
}
