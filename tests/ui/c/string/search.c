// verdict: holds
// states: 18
// native
#include <stdio.h>
#include <string.h>

int main(void) {
    const char *text = "to be or not to be";
    printf("%zu %s %s\n", strlen(text), strchr(text, 'o'), strrchr(text, 'o'));
    printf("%s %s\n", strstr(text, "not"), strstr(text, "xyz") ? "found" : "none");
    printf("%zu %zu %s\n", strspn(text, "tobe "), strcspn(text, "r"), strpbrk(text, "nr"));
    printf("%d %d %d\n", strcmp("abc", "abc"), strcmp("abc", "abd") < 0, strncmp("abcd", "abxx", 2));
    printf("%d %s\n", memcmp("ab", "ac", 2) < 0, (char *)memchr(text, 'b', 10));
    return 0;
}
