// verdict: violated memory
// states: 2
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>

int main(void)
{
    int *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    free(page); //~ error
}
