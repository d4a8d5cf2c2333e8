// verdict: inconclusive
// states: 34
#include <assert.h>
#include <sys/random.h>
#include <unistd.h>

int main(void) {
    unsigned char some[4] = {0}, more[4] = {0};
    assert(getrandom(some, sizeof some, 0) == 4);
    assert(getentropy(more, sizeof more) == 0);
    assert(some[0] && some[1] && some[2] && some[3]);
    assert(getentropy(more, 257) == -1);
    return 0;
}
