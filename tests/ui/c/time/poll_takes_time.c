// verdict: holds
// states: 47
#include <assert.h>
#include <poll.h>
#include <sys/select.h>
#include <time.h>

int main(void) {
    struct timeval three = {3, 0};
    time_t start = time(0);
    poll(0, 0, 2000);
    assert(time(0) - start >= 2);
    select(0, 0, 0, 0, &three);
    assert(time(0) - start >= 5);
}
