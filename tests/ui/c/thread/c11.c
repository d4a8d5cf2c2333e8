// verdict: holds
// states: 79
// The threads of C11.
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int counter;

static int work(void *unused) {
    mtx_lock(&mutex);
    counter++;
    mtx_unlock(&mutex);
    return 5;
}

int main(void) {
    thrd_t thread;
    int result;
    mtx_init(&mutex, mtx_plain);
    assert(thrd_create(&thread, work, 0) == thrd_success);
    work(0);
    assert(thrd_join(thread, &result) == thrd_success);
    assert(result == 5 && counter == 2);
    return 0;
}
