// verdict: holds
// states: 462
// native
// Through qsort, pthread_once and a function of C.
#include <cstdio>
#include <cstdlib>
#include <pthread.h>

static int compare(const void *, const void *) { throw 1; }

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int tries;
static void initialise() {
    if (++tries == 1)
        throw 2;
}

int main() {
    int numbers[] = {3, 1, 2};
    try {
        qsort(numbers, 3, sizeof(int), compare);
    } catch (int n) {
        printf("qsort: %d\n", n);
    }
    try {
        pthread_once(&once, initialise);
    } catch (int n) {
        printf("once: %d\n", n);
    }
    pthread_once(&once, initialise);
    printf("%d tries\n", tries);
}
