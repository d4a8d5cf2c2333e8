// verdict: holds
// states: 52
// native
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char buffer[64] = "one";
    strcat(buffer, " two");
    strncat(buffer, " three and more", 6);
    puts(buffer);
    memmove(buffer + 1, buffer, 5);
    puts(buffer);
    memset(buffer, '-', 3);
    puts(buffer);
    strncpy(buffer, "padded", 10);
    printf("%s %d\n", buffer, buffer[9]);
    char words[] = "a,b;;c", *rest, *word = strtok_r(words, ",;", &rest);
    while (word) {
        printf("<%s>", word);
        word = strtok_r(NULL, ",;", &rest);
    }
    char *copy = strdup("copy");
    printf(" %s\n", copy);
    free(copy);
    return 0;
}
