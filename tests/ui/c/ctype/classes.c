// verdict: holds
// states: 697
// native
#include <ctype.h>
#include <stdio.h>

int main(void) {
    for (const char *p = "aZ5 \t.!~"; *p; p++)
        printf("%d%d%d%d%d%d%d ", !!isalpha(*p), !!isdigit(*p), !!isspace(*p), !!isupper(*p),
               !!ispunct(*p), !!isprint(*p), !!isxdigit(*p));
    printf("%c%c\n", toupper('q'), tolower('Q'));
    return 0;
}
