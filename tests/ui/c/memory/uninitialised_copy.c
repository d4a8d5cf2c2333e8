// verdict: holds
// states: 15
// Copying padding and unset members is no decision.
#include <assert.h>
#include <string.h>

struct pair {
    char small;
    int big;
};

int main(void) {
    struct pair a, b;
    a.small = 1;
    b = a;
    memcpy(&a, &b, sizeof a);
    assert(a.small == 1);
    return 0;
}
