// verdict: holds
// states: 109
// native
// Everything that writes, and an empty standard input.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char buffer[32], *none = NULL;
    int a = 0;
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("%d\n", puts("puts"));
    printf(" %d\n", putchar('c'));
    printf(" %d\n", fputc('d', stdout));
    printf(" %d\n", putc(0x141, stdout));
    printf(" %d\n", fputs("fputs", stdout));
    printf(" %zu %zu\n", fwrite("abcdef", 2, 3, stdout), fwrite("x", 0, 5, stdout));
    putc_unlocked('u', stdout);
    putchar_unlocked('\n');
    printf(" %d\n", fprintf(stdout, "%s", "fprintf"));
    printf(" %d\n", dprintf(1, "dprintf"));
    printf(" %zd\n", write(1, "write", 5));
    printf("%zd %d\n", write(77, "", 1), errno);
    printf("%d [%s]\n", sprintf(buffer, "%d-%s", 5, "x"), buffer);
    printf("%d ", snprintf(buffer, 4, "%s", "abcdef"));
    printf("[%s]\n", buffer);
    printf("[%s] [%.3s] [%10s]\n", none, none, none);
    printf("[%p] [%10p] [%-8p]\n", NULL, NULL, NULL);
    signed char tiny;
    short small;
    long large;
    printf("12345%hhn67%hn89%ln\n", &tiny, &small, &large);
    printf("%d %d %ld\n", tiny, small, large);
    printf("[%lc] [%ls] [%.2ls] [%C%S]\n", L'w', L"wide", L"wide", L'x', L"yz");
    printf("%d %d %d\n", fileno(stdin), fileno(stdout), fileno(stderr));
    fflush(stdout);
    fflush(NULL);
    errno = ENOENT;
    perror("not compared");
    printf("%d\n", ferror(stdout));
    return 0;
}
