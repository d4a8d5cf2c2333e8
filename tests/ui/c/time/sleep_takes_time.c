// verdict: holds
// states: 32
#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    time_t before = time(0);
    sleep(2);
    assert(time(0) > before);
    assert(time(0) - before >= 2);
}
