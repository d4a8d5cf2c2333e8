// verdict: inconclusive
// states: 114
// native
// Division, environment, handlers.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void first(void) { puts("registered first"); }
static void second(void) { puts("registered second"); }
static void third(void) {
    puts("registered third");
    atexit(first);
}

int main(void) {
    volatile int a = -17, b = 5;
    volatile long c = 1L << 40, d = -7;
    div_t small = div(a, b);
    ldiv_t large = ldiv(c, d);
    lldiv_t larger = lldiv(-c, d);
    imaxdiv_t largest = imaxdiv(c, 3);
    printf("%d %d %ld %ld %lld %lld %jd %jd\n", small.quot, small.rem, large.quot, large.rem,
           larger.quot, larger.rem, largest.quot, largest.rem);
    int (*volatile absolute)(int) = abs;
    printf("%d %ld %lld %jd\n", absolute(a), labs(d), llabs(-c), imaxabs(d));

    clearenv();
    printf("%d ", getenv("HOME") == NULL);
    setenv("NAME", "value", 0);
    setenv("NAME", "ignored", 0);
    printf("%s ", getenv("NAME"));
    setenv("NAME", "replaced", 1);
    setenv("NAM", "other", 1);
    printf("%s %s ", getenv("NAME"), getenv("NAM"));
    static char entry[] = "PUT=here";
    putenv(entry);
    printf("%s ", getenv("PUT"));
    unsetenv("NAME");
    printf("%d ", getenv("NAME") == NULL);
    printf("%d %d\n", setenv("A=B", "", 1), errno == EINVAL);
    printf("%zu %d %ld\n", MB_CUR_MAX, getpagesize(), sysconf(_SC_PAGESIZE));

    atexit(first);
    atexit(second);
    atexit(third);
    fflush(stdout);
    exit(0);
}
