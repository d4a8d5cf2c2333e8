// verdict: inconclusive
// states: 14
// Standard input may have something in it.
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
    char *line = 0;
    size_t room = 0;
    assert(getdelim(&line, &room, 58, stdin) == -1);
}
// optimised
