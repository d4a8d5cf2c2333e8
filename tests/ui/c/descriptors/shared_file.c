// verdict: violated assertion
// states: 72
// exeunt: --outside fixed
// Two streams on one file have two positions: what one writes, the other overwrites.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static void *writes(void *text)
{
    FILE *f = fopen("log", "r+");
    fputs(text, f);
    fclose(f);
    return NULL;
}

int main(void)
{
    char line[8];
    pthread_t t;
    fclose(fopen("log", "w"));
    pthread_create(&t, NULL, writes, "ab");
    writes("c");
    pthread_join(t, NULL);
    FILE *f = fopen("log", "r");
    fgets(line, sizeof line, f);
    assert(line[0] == 'a' && line[1] == 'b'); //~ error
}
