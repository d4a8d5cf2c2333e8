// verdict: holds
// states: 8219
// native
// PTHREAD_KEYS_MAX keys, and then EAGAIN.
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>

int main(void)
{
    pthread_key_t k, last = 0;
    int count = 0, code;
    while ((code = pthread_key_create(&k, 0)) == 0) {
        last = k;
        count++;
    }
    pthread_setspecific(last, &count);
    printf("%d %d %d\n", count == PTHREAD_KEYS_MAX, code == EAGAIN, *(int *)pthread_getspecific(last));
    printf("%d\n", pthread_key_delete(last));
    printf("%d %d\n", pthread_key_create(&k, 0), pthread_getspecific(k) == 0);
}
// optimised
