// verdict: holds
// states: 2204
// A writer that never stops can make a reader try again for ever, but never
// makes its success impossible. (The sequence counts modulo four, which is
// enough for this.)
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, x, y;

static void *writer(void *unused) {
    for (;;) {
        sequence ^= 1;
        x = !x;
        y = x;
        sequence ^= 3;
    }
    return unused;
}

EXEUNT_MUST_RETURN static int read_both(void) {
    for (;;) {
        int before = sequence;
        if (before % 2 == 1)
            continue;
        int a = x, b = y;
        if (sequence == before)
            return a == b;
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    read_both();
    return 0;
}
