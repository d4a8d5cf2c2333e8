/* Forces the schedule below on the program that follows. One thread at a time runs, up to a
 * gate: a place in front of an operation where the schedule goes to another thread. Gates,
 * the ends of threads and waits for conditions hand the turn on. */
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

static int exeunt_at, exeunt_told, exeunt_passed, exeunt_created, exeunt_inputs_taken;
static __thread int exeunt_me = 1, exeunt_left;

/* A debugger stops here. Turns are counted from one; the first begins with the program. */
__attribute__((noinline)) void exeunt_switched(int turn, int thread) {
    __asm__ volatile("" : : "r"(turn), "r"(thread) : "memory");
}
static void *exeunt_watch(void *unused) {
    sleep(EXEUNT_PATIENCE);
    exeunt_hangs();
    return unused;
}

static int exeunt_is_over(void) { return exeunt_at >= EXEUNT_SEGMENTS; }
static int exeunt_is_mine(void) {
    return exeunt_is_over() || exeunt_schedule[exeunt_at].thread == exeunt_me;
}
static void exeunt_await(int told) {
    while (!exeunt_is_mine()) EXEUNT_REAL(pthread_cond_wait)(&exeunt_changed, &exeunt_mutex);
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
    EXEUNT_REAL(pthread_cond_broadcast)(&exeunt_changed);
    if (exeunt_is_over()) {
        pthread_t watch;
        EXEUNT_REAL(pthread_create)(&watch, 0, exeunt_watch, 0);
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
    int thread = exeunt_created < EXEUNT_THREADS ? exeunt_threads[exeunt_created] : 1000;
    exeunt_created++;
    return EXEUNT_REAL(pthread_create)(id, attributes, exeunt_run, exeunt_start_of(function, argument, thread));
}

int pthread_cond_wait(pthread_cond_t *address, pthread_mutex_t *mutex) {
    struct exeunt_condition *condition;
    pthread_mutex_lock(&exeunt_mutex);
    condition = exeunt_condition(address);
    condition->waiters++;
    pthread_mutex_unlock(mutex);
    if (exeunt_ends(EXEUNT_WAIT)) exeunt_advance();
    while (condition->tokens == 0 || !exeunt_is_mine())
        EXEUNT_REAL(pthread_cond_wait)(&exeunt_changed, &exeunt_mutex);
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
    pthread_mutex_lock(&exeunt_mutex);
    exeunt_signalled(address, all);
    EXEUNT_REAL(pthread_cond_broadcast)(&exeunt_changed);
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
