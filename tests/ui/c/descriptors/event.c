// verdict: holds
// states: 301
// native
// Event counters, as counters and as semaphores; poll.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <unistd.h>

static int event;

static void *waiter(void *unused)
{
    eventfd_t value;
    eventfd_read(event, &value);
    return unused;
}

int main(void)
{
    uint64_t value;
    int ends[2];
    pthread_t a, b;
    int counter = eventfd(3, EFD_NONBLOCK);
    printf("%zd", read(counter, &value, sizeof value));
    printf(" %d\n", (int)value);
    printf("%zd %d\n", read(counter, &value, sizeof value), errno == EAGAIN);
    printf("%zd %d\n", read(counter, &value, 4), errno == EINVAL);
    value = UINT64_MAX;
    printf("%zd %d\n", write(counter, &value, sizeof value), errno == EINVAL);
    struct pollfd polls[3] = {{counter, POLLIN | POLLOUT, 0}, {99, POLLIN, 0}, {-1, POLLIN, 0}};
    printf("%d", poll(polls, 3, 0));
    printf(" %d %d %d\n", polls[0].revents == POLLOUT, polls[1].revents == POLLNVAL, polls[2].revents);
    printf("%d", eventfd_write(counter, 1));
    printf(" %d", poll(polls, 1, -1));
    printf(" %d\n", polls[0].revents == (POLLIN | POLLOUT));
    event = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
    pthread_create(&a, NULL, waiter, NULL);
    pthread_create(&b, NULL, waiter, NULL);
    eventfd_write(event, 2);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d\n", pipe2(ends, O_NONBLOCK));
    struct pollfd pipes[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}};
    printf("%d", poll(pipes, 2, 0));
    printf(" %d %d\n", pipes[0].revents, pipes[1].revents == POLLOUT);
    printf("%zd %d\n", read(ends[0], &value, 1), errno == EAGAIN);
    printf("%zd\n", write(ends[1], "x", 1));
    printf("%d", poll(pipes, 1, 1000));
    printf(" %d\n", pipes[0].revents == POLLIN);
    close(ends[1]);
    printf("%zd %zd\n", read(ends[0], &value, 8), read(ends[0], &value, 8));
    printf("%d", poll(pipes, 1, -1));
    printf(" %d\n", pipes[0].revents == POLLHUP);
    printf("%d %d\n", poll(NULL, 0, 1), select(0, NULL, NULL, NULL, &(struct timeval){0, 1}));
}
