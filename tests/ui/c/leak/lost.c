// verdict: violated leak
// states: 7
// exeunt: --leaks
#include <stdlib.h>

int main(void) {
    void *volatile p = malloc(8); //~ error
    p = 0;
    return 0;
}
