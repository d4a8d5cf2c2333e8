/* Forces the schedule above on a compiled program: loaded into it (LD_PRELOAD), or linked with it. One thread at a
 * time runs, up to its next call of the thread library; then the schedule says who goes on. When it is at its end, all
 * threads do what they want. Needs the C library of Linux. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t exeunt_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t exeunt_changed = PTHREAD_COND_INITIALIZER;
/* The step that comes next; who runs; threads that have not run yet; how many are inside of a real function. */
static int exeunt_at, exeunt_running, exeunt_created, exeunt_begun_threads, exeunt_inside;
static volatile int exeunt_begun, exeunt_free;
static __thread int exeunt_me;

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
static void *exeunt_watch(void *unused) {
    struct timespec patience = {EXEUNT_PATIENCE, 0};
    EXEUNT_REAL(nanosleep)(&patience, 0);
    if (EXEUNT_STUCK > 0 && __sync_fetch_and_add(&exeunt_inside, 0) >= EXEUNT_STUCK) exeunt_hangs();
    return unused;
}

/* The thread that has run stops; another one goes on. New threads run first, in the order of their creation. */
static void exeunt_hand_on(void) {
    pthread_t watch;
    if (exeunt_begun_threads < exeunt_created) {
        exeunt_running = ++exeunt_begun_threads;
    } else if (exeunt_at < EXEUNT_STEPS) {
        exeunt_running = exeunt_schedule[exeunt_at].thread;
    } else if (!exeunt_free) {
        exeunt_free = 1;
        EXEUNT_REAL(pthread_create)(&watch, 0, exeunt_watch, 0);
    }
    EXEUNT_REAL(pthread_cond_broadcast)(&exeunt_changed);
}
static void exeunt_await(void) {
    while (!exeunt_free && exeunt_running != exeunt_me)
        EXEUNT_REAL(pthread_cond_wait)(&exeunt_changed, &exeunt_mutex);
}

/* Waits for the turn of this thread to make a step; 0 if there is no schedule any more. */
static int exeunt_step(const char *verb, struct exeunt_step *step) {
    memset(step, 0, sizeof *step);
    if (!exeunt_begun || exeunt_free) return 0;
    EXEUNT_REAL(pthread_mutex_lock)(&exeunt_mutex);
    exeunt_hand_on();
    exeunt_await();
    if (!exeunt_free) {
        *step = exeunt_schedule[exeunt_at++];
        if (strcmp(step->verb, verb) != 0) {
            fprintf(stderr, "exeunt: the program does not go the way of the schedule: step %d of thread %d is %s, not %s\n",
                    exeunt_at, exeunt_me + 1, verb, step->verb);
            _exit(3);
        }
    }
    EXEUNT_REAL(pthread_mutex_unlock)(&exeunt_mutex);
    return step->verb != 0;
}

/* ---- the program and its threads ---- */
typedef int (*exeunt_main_function)(int, char **, char **);
static exeunt_main_function exeunt_main;
static int exeunt_begin(int count, char **arguments, char **environment) {
    exeunt_begun = 1;
    return exeunt_main(count, arguments, environment);
}
int __libc_start_main(exeunt_main_function function, int count, char **arguments, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack) {
    int (*real)(exeunt_main_function, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **)&real = exeunt_real("__libc_start_main");
    exeunt_main = function;
    return real(exeunt_begin, count, arguments, init, fini, rtld_fini, stack);
}

struct exeunt_start {
    void *(*function)(void *);
    void *argument;
    int thread;
};
static void exeunt_leave(void *unused) {
    (void)unused;
    EXEUNT_REAL(pthread_mutex_lock)(&exeunt_mutex);
    if (!exeunt_free) exeunt_hand_on();
    EXEUNT_REAL(pthread_mutex_unlock)(&exeunt_mutex);
}
static void *exeunt_run(void *given) {
    struct exeunt_start start = *(struct exeunt_start *)given;
    void *result;
    free(given);
    exeunt_me = start.thread;
    EXEUNT_REAL(pthread_mutex_lock)(&exeunt_mutex);
    exeunt_await();
    EXEUNT_REAL(pthread_mutex_unlock)(&exeunt_mutex);
    pthread_cleanup_push(exeunt_leave, 0);
    result = start.function(start.argument);
    pthread_cleanup_pop(1);
    return result;
}
int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
    struct exeunt_start *start;
    if (!exeunt_begun) return EXEUNT_REAL(pthread_create)(id, attributes, function, argument);
    start = malloc(sizeof *start);
    start->function = function;
    start->argument = argument;
    start->thread = __sync_add_and_fetch(&exeunt_created, 1);
    return EXEUNT_REAL(pthread_create)(id, attributes, exeunt_run, start);
}

/* ---- calls that are one step; the real function does not wait, unless the schedule is at its end ---- */
#define EXEUNT_CALL(name, verb, parameters, arguments)    \
    int name parameters {                                 \
        struct exeunt_step step;                          \
        int result;                                       \
        exeunt_step(verb, &step);                         \
        __sync_fetch_and_add(&exeunt_inside, 1);          \
        result = EXEUNT_REAL(name) arguments;             \
        __sync_fetch_and_sub(&exeunt_inside, 1);          \
        return result;                                    \
    }
EXEUNT_CALL(pthread_mutex_lock, "lock", (pthread_mutex_t *one), (one))
EXEUNT_CALL(pthread_mutex_trylock, "trylock", (pthread_mutex_t *one), (one))
EXEUNT_CALL(pthread_mutex_unlock, "unlock", (pthread_mutex_t *one), (one))
EXEUNT_CALL(pthread_spin_lock, "spin_lock", (pthread_spinlock_t *one), (one))
EXEUNT_CALL(pthread_spin_trylock, "spin_trylock", (pthread_spinlock_t *one), (one))
EXEUNT_CALL(pthread_spin_unlock, "spin_unlock", (pthread_spinlock_t *one), (one))
EXEUNT_CALL(pthread_rwlock_rdlock, "rdlock", (pthread_rwlock_t *one), (one))
EXEUNT_CALL(pthread_rwlock_tryrdlock, "tryrdlock", (pthread_rwlock_t *one), (one))
EXEUNT_CALL(pthread_rwlock_wrlock, "wrlock", (pthread_rwlock_t *one), (one))
EXEUNT_CALL(pthread_rwlock_trywrlock, "trywrlock", (pthread_rwlock_t *one), (one))
EXEUNT_CALL(pthread_rwlock_unlock, "rwunlock", (pthread_rwlock_t *one), (one))
EXEUNT_CALL(sem_wait, "sem_wait", (sem_t *one), (one))
EXEUNT_CALL(sem_trywait, "sem_trywait", (sem_t *one), (one))
EXEUNT_CALL(sem_post, "sem_post", (sem_t *one), (one))
EXEUNT_CALL(sem_getvalue, "sem_getvalue", (sem_t *one, int *value), (one, value))
EXEUNT_CALL(pthread_join, "join", (pthread_t thread, void **place), (thread, place))

/* ---- calls with a deadline: the schedule says whether it passes ---- */
#define EXEUNT_TIMED(name, verb, untimed, parameters, arguments, one, late) \
    int name parameters {                                                   \
        struct exeunt_step step;                                            \
        if (!exeunt_step(verb, &step)) return EXEUNT_REAL(name) arguments;  \
        if (step.busy) return late;                                         \
        return EXEUNT_REAL(untimed)(one);                                   \
    }
#define EXEUNT_CLOCK clockid_t clock, const struct timespec *until
EXEUNT_TIMED(pthread_mutex_timedlock, "timedlock", pthread_mutex_lock,
             (pthread_mutex_t *one, const struct timespec *until), (one, until), one, ETIMEDOUT)
EXEUNT_TIMED(pthread_mutex_clocklock, "timedlock", pthread_mutex_lock, (pthread_mutex_t *one, EXEUNT_CLOCK),
             (one, clock, until), one, ETIMEDOUT)
EXEUNT_TIMED(pthread_rwlock_timedrdlock, "timedrdlock", pthread_rwlock_rdlock,
             (pthread_rwlock_t *one, const struct timespec *until), (one, until), one, ETIMEDOUT)
EXEUNT_TIMED(pthread_rwlock_timedwrlock, "timedwrlock", pthread_rwlock_wrlock,
             (pthread_rwlock_t *one, const struct timespec *until), (one, until), one, ETIMEDOUT)
EXEUNT_TIMED(sem_timedwait, "sem_timedwait", sem_wait, (sem_t *one, const struct timespec *until), (one, until), one,
             (errno = ETIMEDOUT, -1))
EXEUNT_TIMED(sem_clockwait, "sem_timedwait", sem_wait, (sem_t *one, EXEUNT_CLOCK), (one, clock, until), one,
             (errno = ETIMEDOUT, -1))

/* ---- giving way ---- */
int sched_yield(void) {
    struct exeunt_step step;
    return exeunt_step("yield", &step) ? 0 : EXEUNT_REAL(sched_yield)();
}
unsigned sleep(unsigned seconds) {
    struct exeunt_step step;
    return exeunt_step("sleep", &step) ? 0 : EXEUNT_REAL(sleep)(seconds);
}
int usleep(useconds_t time) {
    struct exeunt_step step;
    return exeunt_step("sleep", &step) ? 0 : EXEUNT_REAL(usleep)(time);
}
int nanosleep(const struct timespec *time, struct timespec *left) {
    struct exeunt_step step;
    return exeunt_step("sleep", &step) ? 0 : EXEUNT_REAL(nanosleep)(time, left);
}
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
    struct exeunt_step step;
    return exeunt_step("sleep", &step) ? 0 : EXEUNT_REAL(clock_nanosleep)(clock, flags, time, left);
}

/* ---- conditions: a wait ends when the schedule says so ---- */
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
/* Whether one of those that wait was signalled and has not gone on yet. */
static int exeunt_take(pthread_cond_t *address) {
    struct exeunt_condition *one;
    int taken;
    EXEUNT_REAL(pthread_mutex_lock)(&exeunt_mutex);
    one = exeunt_condition(address);
    taken = one->tokens > 0;
    if (taken) one->tokens--;
    if (one->waiters > 0) one->waiters--;
    EXEUNT_REAL(pthread_mutex_unlock)(&exeunt_mutex);
    return taken;
}
/* The second half of a wait: -1 if the schedule was at its end and nobody had signalled. */
static int exeunt_wake(const char *verb, pthread_cond_t *address, pthread_mutex_t *mutex) {
    struct exeunt_step step, relock;
    int made = exeunt_step(verb, &step), signalled = exeunt_take(address), result;
    if (made && step.value) exeunt_step("relock", &relock);
    __sync_fetch_and_add(&exeunt_inside, 1);
    result = EXEUNT_REAL(pthread_mutex_lock)(mutex);
    __sync_fetch_and_sub(&exeunt_inside, 1);
    if (result) return result;
    if (!made) return signalled ? 0 : -1;
    return step.busy && strcmp(verb, "timed-wake") == 0 ? ETIMEDOUT : 0;
}
static int exeunt_sleeps(const char *verb, pthread_cond_t *address, pthread_mutex_t *mutex) {
    struct exeunt_step step;
    if (!exeunt_step(verb, &step)) return 0;
    EXEUNT_REAL(pthread_mutex_lock)(&exeunt_mutex);
    exeunt_condition(address)->waiters++;
    EXEUNT_REAL(pthread_mutex_unlock)(&exeunt_mutex);
    EXEUNT_REAL(pthread_mutex_unlock)(mutex);
    return 1;
}
int pthread_cond_wait(pthread_cond_t *address, pthread_mutex_t *mutex) {
    int result = exeunt_sleeps("wait", address, mutex) ? exeunt_wake("wake", address, mutex) : -1;
    if (result >= 0) return result;
    __sync_fetch_and_add(&exeunt_inside, 1);
    result = EXEUNT_REAL(pthread_cond_wait)(address, mutex);
    __sync_fetch_and_sub(&exeunt_inside, 1);
    return result;
}
int pthread_cond_timedwait(pthread_cond_t *address, pthread_mutex_t *mutex, const struct timespec *until) {
    int result = exeunt_sleeps("timedwait", address, mutex) ? exeunt_wake("timed-wake", address, mutex) : -1;
    return result >= 0 ? result : EXEUNT_REAL(pthread_cond_timedwait)(address, mutex, until);
}
int pthread_cond_clockwait(pthread_cond_t *address, pthread_mutex_t *mutex, EXEUNT_CLOCK) {
    int result = exeunt_sleeps("timedwait", address, mutex) ? exeunt_wake("timed-wake", address, mutex) : -1;
    return result >= 0 ? result : EXEUNT_REAL(pthread_cond_clockwait)(address, mutex, clock, until);
}
static void exeunt_signal(pthread_cond_t *address, int all) {
    struct exeunt_condition *one;
    EXEUNT_REAL(pthread_mutex_lock)(&exeunt_mutex);
    one = exeunt_condition(address);
    if (all) one->tokens = one->waiters;
    else if (one->tokens < one->waiters) one->tokens++;
    EXEUNT_REAL(pthread_mutex_unlock)(&exeunt_mutex);
}
int pthread_cond_signal(pthread_cond_t *address) {
    struct exeunt_step step;
    if (exeunt_step("signal", &step)) exeunt_signal(address, 0);
    return EXEUNT_REAL(pthread_cond_signal)(address);
}
int pthread_cond_broadcast(pthread_cond_t *address) {
    struct exeunt_step step;
    if (exeunt_step("broadcast", &step)) exeunt_signal(address, 1);
    return EXEUNT_REAL(pthread_cond_broadcast)(address);
}

/* ---- barriers, what is done once, inputs ---- */
int pthread_barrier_wait(pthread_barrier_t *barrier) {
    struct exeunt_step step;
    int result;
    if (exeunt_step("arrive", &step) && exeunt_step("leave", &step))
        return step.first ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
    __sync_fetch_and_add(&exeunt_inside, 1);
    result = EXEUNT_REAL(pthread_barrier_wait)(barrier);
    __sync_fetch_and_sub(&exeunt_inside, 1);
    return result;
}
static __thread void (*exeunt_routine)(void);
static void exeunt_once(void) {
    struct exeunt_step step;
    exeunt_routine();
    exeunt_step("once_done", &step);
}
int pthread_once(pthread_once_t *control, void (*routine)(void)) {
    struct exeunt_step step;
    void (*outer)(void) = exeunt_routine;
    int result;
    exeunt_step("once", &step);
    exeunt_routine = routine;
    result = EXEUNT_REAL(pthread_once)(control, exeunt_once);
    exeunt_routine = outer;
    return result;
}
int exeunt_live_choose(int most) {
    struct exeunt_step step;
    (void)most;
    return exeunt_step("choose", &step) ? (int)step.value : 0;
}
