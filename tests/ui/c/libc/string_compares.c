// verdict: holds
// states: 4168
// native
// Comparisons answer what glibc answers.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>

int main(void) {
    static const char *const words[] = {"", "a", "A", "ab", "aB", "abc", "b", "\xc3\xa4", "item9", "item10", "item010", "1.09", "1.1"};
    int count = sizeof words / sizeof *words;
    int (*volatile compare)(const char *, const char *) = strcmp;
    int (*volatile some)(const char *, const char *, size_t) = strncmp;
    int (*volatile folded)(const char *, const char *) = strcasecmp;
    int (*volatile some_folded)(const char *, const char *, size_t) = strncasecmp;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            const char *a = words[i], *b = words[j];
            int versions = strverscmp(a, b);
            printf("%d %d %d %d %d %d\n", compare(a, b), some(a, b, 2), folded(a, b),
                   some_folded(a, b, 1), strcoll(a, b), (versions > 0) - (versions < 0));
        }
    return 0;
}
