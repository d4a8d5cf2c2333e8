// verdict: holds
// states: 4
// exeunt: --leaks
// What a global still points to is not lost.
#include <stdlib.h>

static void *volatile kept;

int main(void) {
    kept = malloc(8);
    return 0;
}
