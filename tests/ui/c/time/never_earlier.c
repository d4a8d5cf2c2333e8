// verdict: violated section
// states: 7
// The clock only grows, so this loop has no end.
#include <time.h>

int main(void) {
    time_t start = time(0);
    while (time(0) >= start) { //~ error
    }
}
