// verdict: violated memory
// states: 8
#include <stdio.h>
#include <string.h>

int main(void) {
    char buffer[8];
    buffer[0] = 'a';
    size_t (*volatile length)(const char *) = strlen;
    printf("%zu\n", length(buffer)); //~ error
    return 0;
}
