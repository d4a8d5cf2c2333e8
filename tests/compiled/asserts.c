// Fails deep in calls that are made in a loop.
#include <assert.h>

static int check(int x) {
    assert(x != 123);
    return x + 1;
}

static int step(int x) { return check(x) + 1; }

int main(void) {
    int x = 1;
    for (int i = 0; i < 100; i++) x = step(x);
    return x;
}
