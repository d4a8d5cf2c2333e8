// verdict: violated assertion
// states: 3
// abort is a failure like an assertion.
#include <stdlib.h>

int main(int argc, char **argv) {
    if (argc == 1)
        abort(); //~ error
    return 0;
}
