// verdict: violated memory
// states: 3
#define _GNU_SOURCE
#include <sys/mman.h>

int main(void)
{
    int *page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(page, 4096);
    *page = 1; //~ error
}
