// verdict: holds
// states: 36
// native
// Anonymous mappings.
#define _GNU_SOURCE
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

int main(void)
{
    char *page = mmap(NULL, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d %d\n", page != MAP_FAILED, (uintptr_t)page % 4096 == 0);
    printf("%d %d\n", page[0], page[8191]);
    memset(page, 7, 8192);
    printf("%d\n", mprotect(page, 8192, PROT_READ | PROT_WRITE));
    printf("%d\n", madvise(page, 8192, MADV_WILLNEED));
    printf("%d\n", munmap(page, 8192));
    page = mmap(NULL, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    printf("%d %d\n", page == MAP_FAILED, errno == EINVAL);
    page = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    printf("%d\n", munmap(page, 1));
    printf("%d %d\n", munmap(page + 1, 1), errno == EINVAL);
}
