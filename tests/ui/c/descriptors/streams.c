// verdict: holds
// states: 177
// exeunt: --outside fixed
// native
// Streams on files and on memory.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *path = "/tmp/exeunt-test-streams";

int main(void)
{
    char text[32], word[32];
    int number;
    printf("%d %d\n", fopen("/tmp/exeunt-test-none", "r") == NULL, errno == ENOENT);
    printf("%d %d\n", fopen(path, "q") == NULL, errno == EINVAL);
    FILE *f = fopen(path, "w");
    printf("%d\n", fileno(f) > 2);
    printf("%d %d\n", fprintf(f, "line %d\n", 1), fputs("second line\n", f) >= 0);
    printf("%d %zu\n", fputc('x', f), fwrite("yz 42 end", 1, 9, f));
    printf("%ld\n", ftell(f));
    printf("%d %d\n", fgetc(f), ferror(f) != 0);
    printf("%d\n", fclose(f));
    f = fopen(path, "r+");
    printf("%s", fgets(text, sizeof text, f));
    printf("%s|\n", fgets(text, 5, f));
    printf("%d %d\n", fgetc(f), ungetc('#', f));
    printf("%ld %s", ftell(f), fgets(text, sizeof text, f));
    printf("%d", fscanf(f, "%s %d", word, &number));
    printf(" %s %d\n", word, number);
    printf("%d %zu\n", feof(f), fread(text, 1, 20, f));
    printf("%d %d\n", feof(f) != 0, fgetc(f));
    clearerr(f);
    printf("%d %d\n", feof(f), fseek(f, 0, SEEK_SET));
    char *line = NULL;
    size_t room = 0;
    long length = getline(&line, &room, f);
    printf("%ld %d %s", length, room >= 8, line);
    length = getdelim(&line, &room, ' ', f);
    printf("%ld %s\n", length, line);
    free(line);
    rewind(f);
    printf("%c\n", fgetc(f));
    printf("%d\n", fclose(f));
    f = fopen(path, "a");
    fprintf(f, "+");
    fclose(f);
    f = fopen(path, "r");
    fseek(f, 0, SEEK_END);
    printf("%ld\n", ftell(f));
    fclose(f);
    printf("%d\n", rename(path, "/tmp/exeunt-test-renamed"));
    printf("%d %d\n", access(path, F_OK), access("/tmp/exeunt-test-renamed", F_OK));
    printf("%d %d\n", remove("/tmp/exeunt-test-renamed"), remove("/tmp/exeunt-test-renamed"));
    f = tmpfile();
    fputs("temporary", f);
    rewind(f);
    printf("%s\n", fgets(text, sizeof text, f));
    fclose(f);
    char *made;
    size_t size;
    f = open_memstream(&made, &size);
    fprintf(f, "%d-%s", 7, "seven");
    fputc('.', f);
    printf("%d\n", fileno(f));
    fclose(f);
    printf("%zu %s\n", size, made);
    free(made);
    char buffer[8] = "12 abc";
    f = fmemopen(buffer, strlen(buffer), "r");
    printf("%d", fscanf(f, "%d %s", &number, word));
    printf(" %d %s %d\n", number, word, fgetc(f));
    fclose(f);
    f = fmemopen(buffer, sizeof buffer, "w");
    fputs("xy", f);
    fclose(f);
    printf("%s\n", buffer);
}
