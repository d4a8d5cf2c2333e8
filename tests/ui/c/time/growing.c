// verdict: inconclusive
// states: 2261
// Time that is counted for ever is not followed for ever.
#include <time.h>

int main(void) {
    time_t last = time(0);
    for (;;) {
        time_t now = time(0);
        if (now - last > 1)
            last = now;
    }
}
