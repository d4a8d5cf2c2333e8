// verdict: holds
// states: 10
// These belong to the platform and are the same everywhere.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    assert(sysconf(_SC_PAGESIZE) == getpagesize() && sysconf(_SC_THREAD_KEYS_MAX) == 1024);
}
// optimised
