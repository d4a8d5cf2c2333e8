/* Memory that somebody still uses. A thread frees what it has handed over. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static void *work(void *arg) {
    *(int *)arg = 1;
    return 0;
}
int main(void) {
    pthread_t t;
    int *p = malloc(sizeof *p);
    if (!p)
        return 1;
    pthread_create(&t, 0, work, p);
    free(p);
    pthread_join(t, 0);
    return 0;
}
