// verdict: holds
// states: 81
// exeunt: --outside fixed
// native
// Named semaphores in one process.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static const char *name = "/exeunt-named-semaphore-test";

static void *waiter(void *unused)
{
    sem_t *mine = sem_open(name, 0);
    sem_wait(mine);
    sem_close(mine);
    return unused;
}

int main(void)
{
    pthread_t t;
    int value;
    sem_unlink(name);
    printf("%d %d\n", sem_open(name, 0) == SEM_FAILED, errno == ENOENT);
    printf("%d %d\n", sem_open("/", O_CREAT, 0600, 1) == SEM_FAILED, errno == EINVAL);
    printf("%d %d\n", sem_open("/a/b", O_CREAT, 0600, 1) == SEM_FAILED, errno == EINVAL);
    sem_t *s = sem_open(name, O_CREAT | O_EXCL, 0600, 2);
    printf("%d\n", s != SEM_FAILED);
    printf("%d %d\n", sem_open(name, O_CREAT | O_EXCL, 0600, 2) == SEM_FAILED, errno == EEXIST);
    sem_t *again = sem_open(name, O_CREAT, 0600, 9);
    printf("%d\n", again == s);
    printf("%d\n", sem_close(again));
    printf("%d", sem_getvalue(s, &value));
    printf(" %d\n", value);
    sem_wait(s);
    sem_wait(s);
    pthread_create(&t, NULL, waiter, NULL);
    sem_post(s);
    pthread_join(t, NULL);
    printf("%d\n", sem_unlink(name));
    printf("%d %d\n", sem_unlink(name), errno == ENOENT);
    printf("%d\n", sem_post(s));
    printf("%d\n", sem_close(s));
}
