// verdict: holds
// states: 2
// exeunt: --exit-code
#include <stdlib.h>

int main(void) {
    exit(EXIT_SUCCESS);
}
