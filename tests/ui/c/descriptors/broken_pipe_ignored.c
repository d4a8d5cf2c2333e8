// verdict: holds
// states: 16
// native
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    signal(SIGPIPE, SIG_IGN);
    pipe(ends);
    close(ends[0]);
    printf("%zd %d\n", write(ends[1], "x", 1), errno == EPIPE);
}
