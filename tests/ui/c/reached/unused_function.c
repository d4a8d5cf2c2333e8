// verdict: holds
// states: 2
// Nobody calls `report`: what it calls is not missing, and the clock that it
// reads does not matter.
#include <time.h>

int somewhere_else(int);
extern int defined_nowhere;

int report(void) {
    return somewhere_else((int)time(0)) + defined_nowhere;
}

int main(void) {
    return 0;
}
