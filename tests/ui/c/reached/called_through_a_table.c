// verdict: violated assertion
// states: 4
// A function that is only reached through data is reached.
#include <assert.h>

static int wrong(void) {
    assert(0); //~ error
    return 1;
}

struct operations {
    int (*run)(void);
};

static struct operations operations = {wrong};
static struct operations *volatile chosen = &operations;

int main(void) {
    return chosen->run();
}
