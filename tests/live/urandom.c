/* Reads bytes from FILE_NAME and gives way as often as they are odd. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    unsigned char bytes[8] = {0};
    int file = open(FILE_NAME, O_RDONLY);
    pthread_mutex_lock(&m);
    if (read(file, bytes, 8) != 8) return 0;
    pthread_mutex_unlock(&m);
    close(file);
    for (int i = 0; i < 8; i++)
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
