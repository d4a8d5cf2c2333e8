// verdict: holds
// states: 128
// A stream on a pipe waits until a line is complete.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused)
{
    dprintf(ends[1], "%d ", 12);
    FILE *f = fdopen(ends[1], "w");
    fputs("x\nlast", f);
    fclose(f);
    return unused;
}

int main(void)
{
    char line[16];
    pthread_t t;
    pipe(ends);
    pthread_create(&t, NULL, writer, NULL);
    FILE *f = fdopen(ends[0], "r");
    assert(fgets(line, sizeof line, f) && strcmp(line, "12 x\n") == 0);
    assert(fgets(line, sizeof line, f) && strcmp(line, "last") == 0);
    assert(!fgets(line, sizeof line, f) && feof(f));
    pthread_join(t, NULL);
    fclose(f);
}
