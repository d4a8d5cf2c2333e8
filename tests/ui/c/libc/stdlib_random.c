// verdict: holds
// states: 1411
// native
// The sequences of numbers are glibc's.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    for (unsigned seed = 0; seed < 4; seed++) {
        srand(seed * 1234567891);
        for (int i = 0; i < 40; i++)
            printf("%d %ld ", rand() % 100, random());
    }
    srandom(0x80000001);
    printf("%ld\n", random());
    unsigned state = 5;
    for (int i = 0; i < 5; i++)
        printf("%d ", rand_r(&state));
    printf("%f %ld %ld\n", drand48(), lrand48(), mrand48());
    srand48(-3);
    printf("%f %ld %ld\n", drand48(), lrand48(), mrand48());
    unsigned short own[3] = {1, 2, 3};
    printf("%f %ld %ld\n", erand48(own), nrand48(own), jrand48(own));
    return 0;
}
