// verdict: inconclusive
// states: 8
// A machine has some number of processors.
#define _GNU_SOURCE
#include <assert.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    assert(get_nprocs() == 2 && sysconf(_SC_NPROCESSORS_ONLN) == 2);
}
// optimised
