// verdict: inconclusive
// states: 6
// What is done with the bits of a time is not followed.
#include <assert.h>
#include <time.h>

int main(void) {
    unsigned char low = time(0);
    assert(low != 7);
}
