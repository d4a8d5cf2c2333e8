// verdict: violated memory
// states: 5
#include <string.h>

static char full[4] = {'a', 'b', 'c', 'd'};

int main(void) {
    size_t (*volatile length)(const char *) = strlen;
    return length(full) > 4; //~ error
}
