// verdict: holds
// states: 163
// native
// Strings: copying, appending, measuring.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char buffer[24], *volatile source = "hello";
    printf("%zu %zu %zu\n", strlen(source), strnlen(source, 3), strnlen(source, 30));
    printf("%s\n", strcpy(buffer, source));
    printf("%d %s\n", (int)(stpcpy(buffer, source) - buffer), buffer);
    memset(buffer, '#', sizeof buffer);
    strncpy(buffer, source, 8);
    for (int i = 0; i < 10; i++)
        printf("%d ", buffer[i]);
    printf("\n%d %d\n", (int)(stpncpy(buffer, source, 3) - buffer), (int)(stpncpy(buffer, source, 9) - buffer));
    printf("%s\n", strcat(strcpy(buffer, "one "), source));
    printf("%s\n", strncat(buffer, "abcdef", 3));
    printf("%s\n", strncat(buffer, "xy", 10));
    char *copy = strdup(source), *part = strndup(source, 2), *whole = strndup(source, 99);
    printf("%s %s %s\n", copy, part, whole);
    free(copy);
    free(part);
    free(whole);
    printf("%zu %s\n", strxfrm(buffer, "key", sizeof buffer), buffer);
    printf("%zu\n", strxfrm(NULL, "longer", 0));
    char *text = strdupa(source);
    printf("%s\n", text);
    return 0;
}
