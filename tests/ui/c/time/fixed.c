// verdict: holds
// states: 6
// exeunt: --outside fixed
#include <assert.h>
#include <time.h>

int main(void) {
    time_t start = time(0);
    assert(time(0) == start);
}
