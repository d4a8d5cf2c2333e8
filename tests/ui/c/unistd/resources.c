// verdict: holds
// states: 49
// exeunt: --outside fixed
// native
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

int main(void)
{
    struct rlimit limit;
    struct rusage usage;
    char name[16];
    printf("%d", getrlimit(RLIMIT_STACK, &limit));
    printf(" %d\n", limit.rlim_cur <= limit.rlim_max);
    printf("%d %d\n", getrlimit(99, &limit), errno == EINVAL);
    printf("%d", getrusage(RUSAGE_SELF, &usage));
    printf(" %ld\n", (long)usage.ru_utime.tv_sec);
    printf("%d %d\n", getrusage(99, &usage), errno == EINVAL);
    printf("%d\n", prctl(PR_SET_NAME, "a thread with a long name"));
    printf("%d", prctl(PR_GET_NAME, name));
    printf(" %s\n", name);
    printf("%ld %ld\n", sysconf(_SC_CLK_TCK), sysconf(_SC_LINE_MAX));
    printf("%ld %ld\n", sysconf(_SC_THREADS), sysconf(_SC_MONOTONIC_CLOCK));
    printf("%ld %ld\n", sysconf(_SC_SEM_VALUE_MAX), sysconf(_SC_IOV_MAX));
    printf("%ld %ld\n", sysconf(_SC_HOST_NAME_MAX), sysconf(_SC_BARRIERS));
}
