// verdict: inconclusive
// states: 9
// Standard input may have a number in it.
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
    int x;
    assert(fscanf(stdin, "%d", &x) != 1);
}
// optimised
