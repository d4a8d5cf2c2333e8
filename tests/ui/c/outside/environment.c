// verdict: inconclusive
// states: 5
// The environment may have anything in it.
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
    assert(!getenv("HOME"));
}
// optimised
