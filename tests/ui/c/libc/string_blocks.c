// verdict: holds
// states: 729
// native
// Blocks of memory: copying, filling, comparing, searching.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void show(const char *what, const char *buffer, int length) {
    printf("%s:", what);
    for (int i = 0; i < length; i++)
        printf(" %02x", (unsigned char)buffer[i]);
    printf("\n");
}

int main(void) {
    void *(*volatile copy)(void *, const void *, size_t) = memcpy;
    void *(*volatile move)(void *, const void *, size_t) = memmove;
    void *(*volatile fill)(void *, int, size_t) = memset;
    int (*volatile compare)(const void *, const void *, size_t) = memcmp;
    char a[16] = "0123456789abcde", b[16] = {0};
    printf("%d\n", copy(b, a, 8) == b);
    show("memcpy", b, 10);
    printf("%d\n", (int)((char *)mempcpy(b, a, 5) - b));
    move(a + 2, a, 8);
    show("memmove up", a, 16);
    move(a, a + 3, 8);
    show("memmove down", a, 16);
    fill(b, 0x1ff, 4);
    show("memset", b, 10);
    bzero(b + 1, 2);
    show("bzero", b, 10);
    explicit_bzero(b, 1);
    bcopy(a, b, 6);
    show("bcopy", b, 10);
    printf("%d %d %d\n", compare("abc", "abd", 3), compare("abc", "abd", 2), compare("\xff", "\1", 1));
    printf("%d %d\n", bcmp("xy", "xy", 2), memcmp("", "", 0));
    char text[] = "hello, world";
    printf("%d ", (int)((char *)memchr(text, 'o', sizeof text) - text));
    printf("%d ", (int)((char *)memrchr(text, 'o', sizeof text) - text));
    printf("%d ", (int)((char *)rawmemchr(text, ',') - text));
    printf("%d ", memchr(text, 'z', sizeof text) == NULL);
    printf("%d ", (int)((char *)memmem(text, 12, "wor", 3) - text));
    printf("%d %d\n", memmem(text, 12, "worx", 4) == NULL, memmem(text, 12, "", 0) == text);
    char c[8] = "-------";
    char *end = memccpy(c, "ab:cd", ':', 5);
    printf("%d %s %d\n", (int)(end - c), c, memccpy(c, "xyz", 'q', 2) == NULL);
    printf("%d %d %d %d %d\n", ffs(0), ffs(8), ffs(-2147483647 - 1), ffsl(1L << 40), ffsll(0));
    return 0;
}
