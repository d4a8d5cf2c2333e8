// verdict: refused `aio_write`
// options: --thread t
#include <aio.h>
#include <pthread.h>

int n = 3;
static struct aiocb block;

// Runs in a thread of its own when the block was written.
static void on_done(union sigval value) {
    (void)value;
    n += 5;
}

void *t(void *unused) {
    while (n > 0) n--;
    return unused;
}

int main(void) {
    block.aio_sigevent.sigev_notify = SIGEV_THREAD;
    block.aio_sigevent.sigev_notify_function = on_done;
    aio_write(&block);
    pthread_t thread;
    pthread_create(&thread, 0, t, 0);
    pthread_join(thread, 0);
}
