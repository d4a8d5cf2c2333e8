// verdict: holds
// states: 271
// exeunt: --races
// Two threads talk through a pipe; what was written before is seen behind the read.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];
static int shared;

static void *writer(void *unused)
{
    shared = 5;
    write(ends[1], "ab", 2);
    write(ends[1], "c", 1);
    close(ends[1]);
    return unused;
}

int main(void)
{
    char text[4];
    int got = 0, count;
    pthread_t t;
    assert(pipe(ends) == 0);
    pthread_create(&t, NULL, writer, NULL);
    while ((count = read(ends[0], text + got, 4 - got)) > 0) got += count;
    assert(got == 3 && text[0] == 'a' && text[2] == 'c' && shared == 5);
    pthread_join(t, NULL);
    close(ends[0]);
}
