// verdict: holds
//
// What was printed is not part of a state: this program comes back to where
// it was, and there is nothing that it enters and does not leave.
#include <stdio.h>

int main(void) {
    for (;;)
        puts("again");
}
