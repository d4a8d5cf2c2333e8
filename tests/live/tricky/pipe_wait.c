// verdict: inconclusive
// check: violated deadlock
#include <assert.h>
#include <errno.h>
#include <pthread.h>
/* Nobody of this program writes to the pipe; somebody outside could. */
#include <unistd.h>
static int ends[2];
static void *work(void *arg) {
    char c = 0;
    read(ends[0], &c, 1);
    return arg;
}
int main(void) {
    pthread_t t;
    assert(pipe(ends) == 0);
    pthread_create(&t, 0, work, 0);
    pthread_join(t, 0);
    return 0;
}
