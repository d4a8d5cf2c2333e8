// verdict: inconclusive
// states: 6
// Anybody may run the program.
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
    assert(getuid() == getgid());
}
// optimised
