// valid-memsafety: false(valid-free)
// unreach-call: unknown
#include <stdlib.h>
void reach_error() {}
int main() {
    int *p = malloc(4);
    free(p);
    free(p);
    return 0;
}
