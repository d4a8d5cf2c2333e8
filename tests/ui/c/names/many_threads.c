// verdict: violated assertion
// states: 233
// Columns are made narrower only as far as no name is broken.
#include <assert.h>
#include <pthread.h>

static _Atomic int number_of_threads_that_arrived, number_of_threads_that_left;

static void *visitor(void *unused) {
    number_of_threads_that_arrived++;
    number_of_threads_that_left++;
    return unused;
}

int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], 0, visitor, 0);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], 0);
    assert(number_of_threads_that_arrived != number_of_threads_that_left); //~ error
    return 0;
}
