// verdict: holds
// states: 1177
// native
// Recursion, pointers to functions, static variables.
#include <stdio.h>

static int fibonacci(int n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static int next(void) {
    static int value = 10;
    return value++;
}

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }

int main(void) {
    int (*table[2])(int, int) = {add, subtract};
    printf("%d %d %d\n", fibonacci(10), table[0](7, 3), table[1](7, 3));
    next();
    printf("%d\n", next());
    return 0;
}
