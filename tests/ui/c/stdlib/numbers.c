// verdict: holds
// states: 49
// native
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *end;
    printf("%d %ld %lld\n", atoi("  -42x"), atol("77"), atoll("1234567890123"));
    printf("%ld ", strtol("0x1f rest", &end, 0));
    printf("[%s] %ld %lu\n", end, strtol("-101", NULL, 2), strtoul("777", NULL, 8));
    printf("%g ", strtod("2.5e3abc", &end));
    printf("[%s]\n", end);
    errno = 0;
    long big = strtol("99999999999999999999", NULL, 10);
    printf("%d %d\n", errno == ERANGE, big > 0);
    printf("%d %d %d\n", abs(-3), div(17, 5).quot, div(17, 5).rem);
    return 0;
}
