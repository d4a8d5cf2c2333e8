/* Programs that come to no operation of the thread library, or not for long. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#if PART == 1 /* computes */
volatile int x;
int main(void) { while (!x) ; }
#elif PART == 2 /* reads what nobody writes */
int main(void) {
    int ends[2];
    char c;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    return (int)read(ends[0], &c, 1);
}
#elif PART == 3 /* waits for a signal by a system call of its own */
#include <sys/syscall.h>
int main(void) { return (int)syscall(SYS_pause); }
#elif PART == 4 /* many runs, each by a process of its own */
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
    for (int i = 0; i < 9; i++) {
        FILE *file = fopen("/dev/null", "w");
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        fclose(file);
    }
    return arg;
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, work, 0);
    pthread_create(&u, 0, work, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
#endif
