// verdict: inconclusive
// states: 5
// The scheduler decides on which processor a thread runs.
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
    assert(sched_getcpu() == 0);
}
// optimised
