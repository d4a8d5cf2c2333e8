/* An argument that is gone. Each thread gets its number. */
#include <assert.h>
#include <pthread.h>
static int seen[2];
static void *work(void *arg) {
    seen[*(int *)arg] = 1;
    return 0;
}
int main(void) {
    pthread_t t[2];
    int i;
    for (i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, &i);
    for (int j = 0; j < 2; j++)
        pthread_join(t[j], 0);
    assert(seen[0] && seen[1]);
    return 0;
}
