// verdict: violated assertion
// states: 11
#include <assert.h>
#include <time.h>

int main(void) {
    time_t start = time(0);
    assert(difftime(time(0), start) < 60.0); //~ error
}
