// The sieve of Eratosthenes: byte stores with growing strides, then a count.
#include <stdio.h>

#ifndef LIMIT
#define LIMIT 800000
#endif

static char composite[LIMIT];

int main(void) {
    for (int i = 2; i < LIMIT; i++)
        if (!composite[i])
            for (long j = (long)i * i; j < LIMIT; j += i)
                composite[j] = 1;
    int primes = 0;
    for (int i = 2; i < LIMIT; i++)
        primes += !composite[i];
    printf("%d\n", primes);
}
