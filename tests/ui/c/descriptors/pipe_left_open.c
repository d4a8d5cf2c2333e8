// verdict: violated deadlock
// states: 22
// The reader waits for the end of the input, but it holds the other end of the pipe open itself.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused)
{
    write(ends[1], "x", 1);
    return unused;
}

int main(void)
{
    char byte;
    pthread_t t;
    pipe(ends);
    pthread_create(&t, NULL, writer, NULL);
    while (read(ends[0], &byte, 1) == 1) { //~ error
    }
    pthread_join(t, NULL);
}
