// verdict: holds
// states: 8
// exeunt: --leaks
// At exit the variables of main still point to the memory.
#include <stdlib.h>

void fill(char **place) { *place = malloc(4); }

int main(void)
{
    char *p;
    fill(&p);
    exit(0);
}
// optimised
