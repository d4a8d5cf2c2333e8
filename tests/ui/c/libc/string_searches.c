// verdict: holds
// states: 251
// native
// Finding characters, strings and tokens.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

static void at(const char *base, const char *found) {
    printf("%d ", found ? (int)(found - base) : -1);
}

int main(void) {
    const char *volatile text = "the quick brown fox jumps over the lazy dog";
    const char *s = text;
    at(s, strchr(s, 'q')), at(s, strchr(s, 'Q')), at(s, strchr(s, 0)), at(s, index(s, 'o'));
    at(s, strrchr(s, 'o')), at(s, strrchr(s, 0)), at(s, rindex(s, 'z')), at(s, strchrnul(s, '!'));
    at(s, strchrnul(s, 't')), at(s, strstr(s, "the")), at(s, strstr(s, "lazy cat")), at(s, strstr(s, ""));
    at(s, strcasestr(s, "QUICK")), at(s, strcasestr(s, "Dogs")), at(s, strpbrk(s, "xyz")), at(s, strpbrk(s, "!?"));
    printf("\n%zu %zu %zu %zu\n", strspn(s, "eht "), strspn(s, "x"), strcspn(s, "xj"), strcspn(s, "!"));

    char list[] = ",,one, two,,three ,";
    for (char *word = strtok(list, ", "); word; word = strtok(NULL, ", "))
        printf("[%s]", word);
    char path[] = "a/b//c", *state;
    for (char *part = strtok_r(path, "/", &state); part; part = strtok_r(NULL, "/", &state))
        printf("(%s)", part);
    char fields[] = "x::y:", *rest = fields, *field;
    while ((field = strsep(&rest, ":")))
        printf("{%s}", field);
    printf("\n");
    return 0;
}
