// valid-memsafety: false(valid-memtrack)
#include <stdlib.h>
int main() {
    int *p = malloc(4);
    p = 0;
    return p != 0;
}
