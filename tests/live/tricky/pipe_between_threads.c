// verdict: holds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* One thread writes to a pipe, the other reads: each waits for the other. */
#include <unistd.h>
static int ends[2], back[2];
static void *work(void *arg) {
    char c = 0;
    assert(read(ends[0], &c, 1) == 1 && c == 'x');
    assert(write(back[1], "y", 1) == 1);
    return arg;
}
int main(void) {
    char c = 0;
    pthread_t t;
    assert(pipe(ends) == 0 && pipe(back) == 0);
    pthread_create(&t, 0, work, 0);
    assert(write(ends[1], "x", 1) == 1);
    assert(read(back[0], &c, 1) == 1 && c == 'y');
    pthread_join(t, 0);
    return 0;
}
