/* Forces the schedule below on the program that follows. One thread at a time runs, up to a
 * gate: a place in front of an operation where the schedule goes to another thread. Gates,
 * the ends of threads and waits for conditions hand the turn on. */
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
#define EXEUNT_NOTHROW noexcept
#else
#define EXEUNT_NOTHROW
#endif

enum { EXEUNT_GATE, EXEUNT_END, EXEUNT_WAIT, EXEUNT_WOKEN, EXEUNT_FREE };
struct exeunt_segment {
    int thread, end, gate, passes;
};

static pthread_mutex_t exeunt_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t exeunt_changed = PTHREAD_COND_INITIALIZER;
static int exeunt_at, exeunt_told, exeunt_passed, exeunt_created, exeunt_inputs_taken;
static __thread int exeunt_me = 1, exeunt_left;

typedef int (*exeunt_wait_function)(pthread_cond_t *, pthread_mutex_t *);
typedef int (*exeunt_wake_function)(pthread_cond_t *);
typedef int (*exeunt_create_function)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

/* A debugger stops here. Turns are counted from one; the first begins with the program. */
__attribute__((noinline)) void exeunt_switched(int turn, int thread) {
    __asm__ volatile("" : : "r"(turn), "r"(thread) : "memory");
}
__attribute__((noinline)) void exeunt_hangs(void) {
    fprintf(stderr, "exeunt: the schedule is at its end and the program hangs:\n%s\n", EXEUNT_MESSAGE);
    abort();
}

static void *exeunt_watch(void *unused) {
    sleep(EXEUNT_PATIENCE);
    exeunt_hangs();
    return unused;
}

static void *exeunt_real(const char *name) { return dlsym(RTLD_NEXT, name); }

static int exeunt_is_over(void) { return exeunt_at >= EXEUNT_SEGMENTS; }
static int exeunt_is_mine(void) {
    return exeunt_is_over() || exeunt_schedule[exeunt_at].thread == exeunt_me;
}
static void exeunt_await(int told) {
    exeunt_wait_function wait = (exeunt_wait_function)exeunt_real("pthread_cond_wait");
    while (!exeunt_is_mine()) wait(&exeunt_changed, &exeunt_mutex);
    if (told && !exeunt_is_over() && exeunt_told != exeunt_at) {
        int turn = exeunt_told = exeunt_at;
        pthread_mutex_unlock(&exeunt_mutex);
        exeunt_switched(turn + 1, exeunt_me);
        pthread_mutex_lock(&exeunt_mutex);
    }
}
static void exeunt_advance(void) {
    exeunt_at++;
    exeunt_passed = 0;
    ((exeunt_wake_function)exeunt_real("pthread_cond_broadcast"))(&exeunt_changed);
    if (exeunt_is_over()) {
        pthread_t watch;
        ((exeunt_create_function)exeunt_real("pthread_create"))(&watch, 0, exeunt_watch, 0);
    }
}
/* Whether the turn of this thread ends here. */
static int exeunt_ends(int end) {
    return !exeunt_is_over() && exeunt_is_mine() && exeunt_schedule[exeunt_at].end == end;
}

void exeunt_gate(int gate) {
    pthread_mutex_lock(&exeunt_mutex);
    exeunt_await(1);
    if (exeunt_ends(EXEUNT_GATE) && exeunt_schedule[exeunt_at].gate == gate &&
        exeunt_passed++ == exeunt_schedule[exeunt_at].passes) {
        exeunt_advance();
        exeunt_await(1);
    }
    pthread_mutex_unlock(&exeunt_mutex);
}

static void exeunt_leave(void *unused);
void pthread_exit(void *result) {
    exeunt_leave(0);
    ((void (*)(void *))exeunt_real("pthread_exit"))(result);
    abort();
}

struct exeunt_start {
    void *(*function)(void *);
    void *argument;
    int thread;
};
static void exeunt_leave(void *unused) {
    (void)unused;
    if (exeunt_left++) return;
    pthread_mutex_lock(&exeunt_mutex);
    exeunt_await(0);
    if (exeunt_ends(EXEUNT_END)) exeunt_advance();
    pthread_mutex_unlock(&exeunt_mutex);
}
static void *exeunt_run(void *given) {
    struct exeunt_start start = *(struct exeunt_start *)given;
    void *result;
    free(given);
    exeunt_me = start.thread;
    pthread_mutex_lock(&exeunt_mutex);
    exeunt_await(1);
    pthread_mutex_unlock(&exeunt_mutex);
    pthread_cleanup_push(exeunt_leave, 0);
    result = start.function(start.argument);
    pthread_cleanup_pop(1);
    return result;
}
int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *),
                   void *argument) EXEUNT_NOTHROW {
    struct exeunt_start *start = (struct exeunt_start *)malloc(sizeof *start);
    start->function = function;
    start->argument = argument;
    start->thread = exeunt_created < EXEUNT_THREADS ? exeunt_threads[exeunt_created] : 1000;
    exeunt_created++;
    return ((exeunt_create_function)exeunt_real("pthread_create"))(id, attributes, exeunt_run, start);
}

/* Conditions: a wait ends when it was signalled and the schedule says so. */
static struct exeunt_condition {
    pthread_cond_t *address;
    int waiters, tokens;
} exeunt_conditions[256];
static struct exeunt_condition *exeunt_condition(pthread_cond_t *address) {
    int i = 0;
    while (i < 255 && exeunt_conditions[i].address && exeunt_conditions[i].address != address) i++;
    exeunt_conditions[i].address = address;
    return &exeunt_conditions[i];
}
int pthread_cond_wait(pthread_cond_t *address, pthread_mutex_t *mutex) {
    exeunt_wait_function wait = (exeunt_wait_function)exeunt_real("pthread_cond_wait");
    struct exeunt_condition *condition;
    pthread_mutex_lock(&exeunt_mutex);
    condition = exeunt_condition(address);
    condition->waiters++;
    pthread_mutex_unlock(mutex);
    if (exeunt_ends(EXEUNT_WAIT)) exeunt_advance();
    while (condition->tokens == 0 || !exeunt_is_mine()) wait(&exeunt_changed, &exeunt_mutex);
    condition->tokens--;
    condition->waiters--;
    if (exeunt_ends(EXEUNT_WOKEN)) {
        exeunt_advance();
        exeunt_await(1);
    }
    pthread_mutex_unlock(&exeunt_mutex);
    return pthread_mutex_lock(mutex);
}
static int exeunt_wake(pthread_cond_t *address, int all) {
    struct exeunt_condition *condition;
    pthread_mutex_lock(&exeunt_mutex);
    condition = exeunt_condition(address);
    if (all) condition->tokens = condition->waiters;
    else if (condition->tokens < condition->waiters) condition->tokens++;
    ((exeunt_wake_function)exeunt_real("pthread_cond_broadcast"))(&exeunt_changed);
    pthread_mutex_unlock(&exeunt_mutex);
    return 0;
}
int pthread_cond_signal(pthread_cond_t *address) EXEUNT_NOTHROW { return exeunt_wake(address, 0); }
int pthread_cond_broadcast(pthread_cond_t *address) EXEUNT_NOTHROW { return exeunt_wake(address, 1); }

static long long exeunt_input(void) {
    return exeunt_inputs_taken < EXEUNT_INPUTS ? exeunt_inputs[exeunt_inputs_taken++] : 0;
}

#ifdef __cplusplus
}
#endif
#define EXEUNT_VALUE(gate, value) \
    __extension__({ __typeof__(value) exeunt_value = (value); exeunt_gate(gate); exeunt_value; })
#define EXEUNT_UPDATE(gate, place, value) \
    __extension__({ __typeof__(place) exeunt_value = (value); exeunt_gate(gate); (place) = exeunt_value; })
