// verdict: violated assertion
// states: 1
#include <signal.h>

int main(void) {
    raise(SIGTERM); //~ error
    return 0;
}
