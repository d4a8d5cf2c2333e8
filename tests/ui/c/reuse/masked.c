// verdict: violated memory
// states: 10
// A pointer that is only kept masked is used after its memory was freed.
#include <stdint.h>
#include <stdlib.h>

#define KEY 0x5a5a5a5a5a5a5a5a

int main(void) {
    uintptr_t hidden = (uintptr_t)malloc(4) ^ KEY;
    free((void *)(hidden ^ KEY));
    int *q = malloc(4);
    *q = 1;
    *(int *)(hidden ^ KEY) = 2; //~ error
    free(q);
}
