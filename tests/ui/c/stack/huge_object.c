// verdict: inconclusive
// states: 1
// exeunt: --max-object 8G
// The size of an object is not cut to 32 bits.
#include <stdlib.h>

int main(void)
{
    char *p = malloc((1UL << 32) + 8);
    if (p)
        p[100] = 1;
}
