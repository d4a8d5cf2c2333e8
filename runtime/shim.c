/* What all shims share that force a schedule on a program: who may run, how they say that it hangs, and conditions whose
 * waits end when the schedule says so. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

static pthread_mutex_t exeunt_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t exeunt_changed = PTHREAD_COND_INITIALIZER;

static void *exeunt_real(const char *name) {
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) abort();
    return function;
}
#define EXEUNT_REAL(name) ((__typeof__(&name))exeunt_real(#name))

/* A debugger stops here. */
__attribute__((noinline)) void exeunt_hangs(void) {
    fprintf(stderr, "exeunt: the schedule is at its end and the program hangs:\n%s\n", EXEUNT_MESSAGE);
    abort();
}

/* What a thread runs, and its number in the schedule. */
struct exeunt_start {
    void *(*function)(void *);
    void *argument;
    int thread;
};
static struct exeunt_start *exeunt_start_of(void *(*function)(void *), void *argument, int thread) {
    struct exeunt_start *start = (struct exeunt_start *)malloc(sizeof *start);
    if (!start) abort();
    start->function = function;
    start->argument = argument;
    start->thread = thread;
    return start;
}

/* Conditions: who waits, and how many of them were signalled and have not gone on yet. The caller holds the mutex. */
static struct exeunt_condition {
    pthread_cond_t *address;
    int waiters, tokens;
} exeunt_conditions[1024];
static struct exeunt_condition *exeunt_condition(pthread_cond_t *address) {
    int i = 0;
    while (i < 1023 && exeunt_conditions[i].address && exeunt_conditions[i].address != address) i++;
    exeunt_conditions[i].address = address;
    return &exeunt_conditions[i];
}
static void exeunt_signalled(pthread_cond_t *address, int all) {
    struct exeunt_condition *one = exeunt_condition(address);
    if (all) one->tokens = one->waiters;
    else if (one->tokens < one->waiters) one->tokens++;
}

#ifdef __cplusplus
}
#endif

