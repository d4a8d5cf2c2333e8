// verdict: violated section
// states: 184
// exeunt: --sections function
// A write that is given up half-way leaves the sequence odd, and no reader
// gets through any more.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, closed;

static void *writer(void *unused) {
    sequence++;
    if (closed)
        return unused;
    x = 1;
    sequence++;
    return unused;
}

EXEUNT_MUST_RETURN static int read_it(void) {
    for (;;) {
        unsigned before = sequence;
        if (before % 2 == 1)
            continue;
        int value = x;
        if (sequence == before)
            return value;
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    closed = 1;
    return read_it() > 1; //~ error
}
