/* Forces the schedule above on a compiled program: loaded into it (LD_PRELOAD), or linked with it. One thread at a
 * time runs, up to its next call of the thread library; then the schedule says who goes on. When it is at its end, all
 * threads do what they want. Needs the C library of Linux. */
#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>
#include <threads.h>
#include <time.h>

/* The step that comes next; who runs; threads that have not run yet; how many are inside of a real function. */
static int exeunt_at, exeunt_running, exeunt_created, exeunt_begun_threads, exeunt_inside;
static volatile int exeunt_begun, exeunt_free;
static __thread int exeunt_me;

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
    if (exeunt_running == exeunt_me) exeunt_hand_on();
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
/* A thread without further steps that has created all others need not stop for them, and may never do so. */
static void exeunt_let_go(void) {
    int i, most = 0, mine = 0;
    for (i = exeunt_at; i < EXEUNT_STEPS; i++) {
        if (exeunt_schedule[i].thread > most) most = exeunt_schedule[i].thread;
        if (exeunt_schedule[i].thread == exeunt_me) mine = 1;
    }
    if (!mine && exeunt_created >= most && !exeunt_free && exeunt_running == exeunt_me) exeunt_hand_on();
}
int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
    int result;
    if (!exeunt_begun) return EXEUNT_REAL(pthread_create)(id, attributes, function, argument);
    result = EXEUNT_REAL(pthread_create)(id, attributes, exeunt_run,
                                         exeunt_start_of(function, argument, __sync_add_and_fetch(&exeunt_created, 1)));
    EXEUNT_REAL(pthread_mutex_lock)(&exeunt_mutex);
    exeunt_let_go();
    EXEUNT_REAL(pthread_mutex_unlock)(&exeunt_mutex);
    return result;
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
    EXEUNT_REAL(pthread_mutex_lock)(&exeunt_mutex);
    exeunt_signalled(address, all);
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

/* ---- C11: its mutexes and conditions are those of POSIX in this C library ---- */
EXEUNT_CALL(mtx_lock, "lock", (mtx_t *one), (one))
EXEUNT_CALL(mtx_trylock, "trylock", (mtx_t *one), (one))
EXEUNT_CALL(mtx_unlock, "unlock", (mtx_t *one), (one))
EXEUNT_CALL(thrd_join, "join", (thrd_t thread, int *place), (thread, place))
EXEUNT_TIMED(mtx_timedlock, "timedlock", mtx_lock, (mtx_t *one, const struct timespec *until), (one, until), one,
             thrd_timedout)
void thrd_yield(void) { sched_yield(); }
int thrd_sleep(const struct timespec *time, struct timespec *left) {
    struct exeunt_step step;
    return exeunt_step("sleep", &step) ? 0 : EXEUNT_REAL(thrd_sleep)(time, left);
}
void call_once(once_flag *control, void (*routine)(void)) { pthread_once((pthread_once_t *)control, routine); }
static int exeunt_answer(int result) {
    return result == 0 ? thrd_success : result == ETIMEDOUT ? thrd_timedout : thrd_error;
}
int cnd_wait(cnd_t *one, mtx_t *mutex) {
    return exeunt_answer(pthread_cond_wait((pthread_cond_t *)one, (pthread_mutex_t *)mutex));
}
int cnd_timedwait(cnd_t *one, mtx_t *mutex, const struct timespec *until) {
    return exeunt_answer(pthread_cond_timedwait((pthread_cond_t *)one, (pthread_mutex_t *)mutex, until));
}
int cnd_signal(cnd_t *one) { return exeunt_answer(pthread_cond_signal((pthread_cond_t *)one)); }
int cnd_broadcast(cnd_t *one) { return exeunt_answer(pthread_cond_broadcast((pthread_cond_t *)one)); }
struct exeunt_thrd {
    thrd_start_t function;
    void *argument;
};
static void *exeunt_thrd(void *given) {
    struct exeunt_thrd start = *(struct exeunt_thrd *)given;
    free(given);
    return (void *)(long)start.function(start.argument);
}
int thrd_create(thrd_t *id, thrd_start_t function, void *argument) {
    struct exeunt_thrd *start = malloc(sizeof *start);
    if (!start) return thrd_nomem;
    start->function = function;
    start->argument = argument;
    return exeunt_answer(pthread_create((pthread_t *)id, 0, exeunt_thrd, start));
}

/* ---- static variables of C++ functions: only where several threads can meet ---- */
int __cxa_guard_acquire(char *guard);
void __cxa_guard_release(char *guard);
int __cxa_guard_acquire(char *guard) {
    struct exeunt_step step;
    int result;
    if (*(volatile char *)guard) return 0;
    if (exeunt_created > 0) exeunt_step("once", &step);
    __sync_fetch_and_add(&exeunt_inside, 1);
    result = EXEUNT_REAL(__cxa_guard_acquire)(guard);
    __sync_fetch_and_sub(&exeunt_inside, 1);
    return result;
}
void __cxa_guard_release(char *guard) {
    struct exeunt_step step;
    if (exeunt_created > 0) exeunt_step("once_done", &step);
    EXEUNT_REAL(__cxa_guard_release)(guard);
}
