// verdict: violated assertion
// states: 499
// qsort moves elements around: another thread sees one of them twice.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

long numbers[2] = {2, 1};

int compare(const void *a, const void *b) {
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

void *sorter(void *arg) {
    qsort(numbers, 2, sizeof numbers[0], compare);
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, sorter, 0);
    volatile long *seen = numbers;
    long a = seen[0], b = seen[1];
    assert(a != b); //~ error
    pthread_join(thread, 0);
}
// optimised
