// verdict: violated assertion
// states: 141
// exeunt: --malloc-fails
// Which variable the reader looks at first depends on an allocation that may
// fail: what it does first is not known before that.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static volatile int a, b, c;

static void *writer(void *unused) {
    b = 1;
    c = 1;
    return 0;
}

static void *reader(void *unused) {
    char *block = malloc(1);
    if (block) {
        a = 1;
        free(block);
    } else if (b == 1) {
        assert(c == 1); //~ error
    }
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, writer, 0);
    pthread_create(&threads[1], 0, reader, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
