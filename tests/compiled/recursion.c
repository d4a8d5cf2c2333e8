// Calls that nest deeply and return values.
#include <stdio.h>

static unsigned ackermann(unsigned m, unsigned n) {
    return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

int main(void) {
    printf("%u %d\n", ackermann(2, 5), depth(700));
}
