// verdict: holds
// states: 18
// join gives what the thread returned.
#include <assert.h>
#include <pthread.h>

static void *answer(void *question) {
    return (char *)question + 1;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, answer, (void *)41);
    pthread_join(thread, &result);
    assert(result == (void *)42);
    return 0;
}
