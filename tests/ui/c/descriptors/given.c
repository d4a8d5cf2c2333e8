// verdict: holds
// states: 113
// exeunt: --stdin numbers.txt --file config=numbers.txt --env LEVEL=7 --env NAME=x=y
// What the user says about the world outside is not in doubt.
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv, char **environment)
{
    int a, b;
    char word[16], line[32], byte;
    assert(scanf("%d %d", &a, &b) == 2 && a == 3 && b == 4);
    assert(scanf("%15s", word) == 1 && strcmp(word, "name") == 0);
    assert(getchar() == ' ');
    assert(fgets(line, sizeof line, stdin) && strcmp(line, "other\n") == 0);
    assert(read(0, &byte, 1) == 1 && byte == 'l');
    assert(fgets(line, sizeof line, stdin) && strcmp(line, "ast") == 0);
    assert(getchar() == EOF && feof(stdin));
    int f = open("config", O_RDWR);
    assert(read(f, &byte, 1) == 1 && byte == '3');
    assert(write(f, "!", 1) == 1);
    FILE *again = fopen("./config", "r");
    assert(fgets(line, sizeof line, again) && strcmp(line, "3!4\n") == 0);
    assert(fopen("other", "r") == NULL);
    assert(strcmp(getenv("LEVEL"), "7") == 0 && strcmp(getenv("NAME"), "x=y") == 0);
    assert(getenv("HOME") == NULL);
    assert(strcmp(environment[0], "LEVEL=7") == 0 && environment[2] == NULL);
    unsetenv("LEVEL");
    assert(getenv("LEVEL") == NULL);
}
