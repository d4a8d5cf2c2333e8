// verdict: inconclusive
// states: 53
// native
// Standard input is empty.
#include <stdio.h>

int main(void) {
    char buffer[8];
    int a = 5;
    printf("%d ", feof(stdin));
    printf("%d ", getchar());
    printf("%d ", feof(stdin) != 0);
    clearerr(stdin);
    printf("%d ", feof(stdin));
    printf("%d ", fgets(buffer, sizeof buffer, stdin) == NULL);
    printf("%d ", scanf("%d", &a));
    printf("%d ", fscanf(stdin, "%d", &a));
    printf("%zu ", fread(buffer, 1, 8, stdin));
    printf("%d ", ungetc('7', stdin));
    printf("%d ", feof(stdin));
    printf("%d ", getc(stdin));
    printf("%d ", ungetc('8', stdin));
    printf("%d %d\n", scanf("%d", &a), a);
    return 0;
}
