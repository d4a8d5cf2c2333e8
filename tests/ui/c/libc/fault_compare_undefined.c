// verdict: violated memory
// states: 15
// The padding of a struct is never written.
#include <string.h>

struct padded {
    char a;
    int b;
};

int main(void) {
    struct padded x, y;
    x.a = y.a = 1;
    x.b = y.b = 2;
    int (*volatile compare)(const void *, const void *, size_t) = memcmp;
    return compare(&x, &y, sizeof x); //~ error
}
