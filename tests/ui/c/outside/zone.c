// verdict: inconclusive
// states: 11
// The local time may be that of any place.
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
    time_t t = 0;
    assert(localtime(&t)->tm_hour == 0);
}
// optimised
