// verdict: holds
// states: 127
// exeunt: --outside fixed
// native
// Names, processors and priorities of threads.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void before(void) {}

int main(void)
{
    char name[16];
    cpu_set_t set;
    struct sched_param param = {7};
    struct timespec slice, spent;
    clockid_t clock;
    int policy = 7;
    unsigned cpu = 7, node;
    pthread_barrierattr_t barrier;
    printf("%d\n", pthread_setname_np(pthread_self(), "worker"));
    printf("%d\n", pthread_setname_np(pthread_self(), "a name that is too long") == ERANGE);
    printf("%d\n", pthread_getname_np(pthread_self(), name, 4) == ERANGE);
    printf("%d", pthread_getname_np(pthread_self(), name, sizeof name));
    printf(" %s\n", name);
    printf("%d\n", pthread_setconcurrency(3));
    printf("%d\n", pthread_getconcurrency());
    printf("%d", pthread_getschedparam(pthread_self(), &policy, &param));
    printf(" %d %d\n", policy == SCHED_OTHER, param.sched_priority);
    printf("%d\n", pthread_setschedprio(pthread_self(), 0));
    printf("%d", pthread_getaffinity_np(pthread_self(), sizeof set, &set));
    printf(" %d\n", CPU_COUNT(&set) > 0);
    printf("%d\n", pthread_setaffinity_np(pthread_self(), sizeof set, &set));
    printf("%d", sched_getaffinity(0, sizeof set, &set));
    printf(" %d\n", CPU_COUNT(&set) > 0);
    printf("%d", sched_getparam(0, &param));
    printf(" %d\n", param.sched_priority);
    printf("%d\n", sched_setparam(0, &param));
    printf("%d", sched_rr_get_interval(0, &slice));
    printf(" %d\n", slice.tv_nsec >= 0);
    printf("%d", getcpu(&cpu, &node));
    printf(" %d\n", cpu < 4096);
    printf("%d", pthread_getcpuclockid(pthread_self(), &clock));
    printf(" %d\n", clock_gettime(clock, &spent));
    printf("%d\n", pthread_atfork(before, NULL, NULL));
    pthread_barrierattr_init(&barrier);
    pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
    printf("%d", pthread_barrierattr_getpshared(&barrier, &policy));
    printf(" %d\n", policy == PTHREAD_PROCESS_SHARED);
    cpu_set_t *large = CPU_ALLOC(100);
    CPU_ZERO_S(CPU_ALLOC_SIZE(100), large);
    CPU_SET_S(70, CPU_ALLOC_SIZE(100), large);
    printf("%d\n", CPU_COUNT_S(CPU_ALLOC_SIZE(100), large));
    CPU_FREE(large);
}
