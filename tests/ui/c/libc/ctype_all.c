// verdict: holds
// states: 100994
// native
// Every character through functions and macros.
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>

typedef int (*class)(int);

int main(void) {
    static const class classes[] = {isalnum, isalpha, isblank, iscntrl, isdigit, isgraph, islower,
                                    isprint, ispunct, isspace, isupper, isxdigit, isascii, toascii, tolower, toupper};
    for (int c = -1; c < 256; c++) {
        for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
            printf("%d ", i < 12 ? !!classes[i](c) : classes[i](c));
        printf("%d%d%d%d%d%d%d%d%d%d%d%d %d %d\n", !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c),
               !!isdigit(c), !!isgraph(c), !!islower(c), !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c),
               !!isxdigit(c), tolower(c), toupper(c));
    }
    const unsigned short *table = *__ctype_b_loc();
    const int *lower = *__ctype_tolower_loc(), *upper = *__ctype_toupper_loc();
    for (int c = -128; c < 256; c++)
        printf("%x %d %d\n", table[c], lower[c], upper[c]);
    return 0;
}
