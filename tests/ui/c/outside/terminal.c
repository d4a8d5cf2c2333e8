// verdict: inconclusive
// states: 5
// Output may go to a terminal.
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
    assert(!isatty(1));
}
// optimised
