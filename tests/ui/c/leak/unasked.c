// verdict: holds
// states: 8
#include <stdlib.h>

int main(void) {
    void *volatile p = malloc(8);
    p = 0;
    return 0;
}
