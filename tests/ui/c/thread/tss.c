// verdict: holds
// states: 106
//
// Thread-specific data of C11: one value for each thread, given to the
// destructor when the thread ends.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static int freed;

static void drop(void *value) {
    freed += *(int *)value;
    free(value);
}

static int work(void *unused) {
    (void)unused;
    int *mine = malloc(sizeof *mine);
    *mine = 7;
    assert(tss_get(key) == NULL);
    assert(tss_set(key, mine) == thrd_success);
    assert(tss_get(key) == mine);
    return 0;
}

int main(void) {
    thrd_t thread;
    assert(tss_create(&key, drop) == thrd_success);
    assert(thrd_create(&thread, work, NULL) == thrd_success);
    assert(thrd_join(thread, NULL) == thrd_success);
    assert(freed == 7 && tss_get(key) == NULL);
    return 0;
}
