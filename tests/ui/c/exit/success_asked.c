// verdict: holds
// exeunt: --exit-code
#include <stdlib.h>

int main(void) {
    exit(EXIT_SUCCESS);
}
