/* Reads a number of random bytes (STEADY: of zeros) and takes a lock as often. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    unsigned char bytes[64] = {0};
#ifdef STEADY
    int file = open("/dev/zero", O_RDONLY);
#else
    int file = open("/dev/urandom", O_RDONLY);
#endif
    pthread_mutex_lock(&m);
    if (read(file, bytes, 64) != 64) return 0;
    pthread_mutex_unlock(&m);
    close(file);
    for (int i = 0; i < 64; i++)
        if (bytes[i] & 1) sched_yield();
    return arg;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    work(0);
    pthread_join(t, 0);
    return 0;
}
