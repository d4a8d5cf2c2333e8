// verdict: holds
// states: 3
// A function that ends the program does not return, but nothing is left open.
#include <exeunt.h>
#include <stdlib.h>

EXEUNT_MUST_RETURN static void give_up(void) {
    exit(0);
}

int main(void) {
    give_up();
    for (;;) {
    }
}
