// Recursion: the Fibonacci numbers by their definition.
#include <stdio.h>

#ifndef N
#define N 31
#endif

__attribute__((noinline)) static int fib(int n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main(void) { printf("%d\n", fib(N)); }
