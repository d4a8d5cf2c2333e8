// verdict: holds
// states: 1104
// native
// The texts of errors and signals.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    char buffer[40];
    for (int i = -1; i < 140; i++)
        puts(strerror(i));
    for (int i = 0; i < 40; i++)
        puts(strsignal(i));
    puts(strerror_r(ENOENT, buffer, sizeof buffer));
    puts(strerror_r(999, buffer, sizeof buffer));
    errno = EAGAIN;
    printf("[%m] [%5.3m]\n");
    return 0;
}
