// verdict: holds
// states: 27
// exeunt: --outside fixed
// What is asked is as we answer it.
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
    assert(sched_getcpu() == 0 && getuid() == 1000 && !isatty(0) && get_nprocs() == 2);
    assert(!getenv("HOME") && getchar() == EOF && time(0) == time(0));
}
// optimised
