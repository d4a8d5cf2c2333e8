/* Sections of the program's own, and functions that must return. */
#include <exeunt.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int ready, stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int quiet(void) { return !ready && !stop; }
static int crashes(void) { return *(volatile int *)0; }

EXEUNT_MUST_RETURN static int drain(void) {
    while (!ready)
        sched_yield();
    return 1;
}

static void *worker(void *unused) {
#if PART == 1 /* left only if the other one is ready, which it never is */
    exeunt_section_begin("request", 0);
    while (!ready) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    exeunt_section_end("request", 0);
#elif PART == 2 /* the same, and it may become ready */
    exeunt_section_begin("request", 0);
    while (!ready) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
    exeunt_section_end("request", 0);
    ready = 0;
#elif PART == 3 || PART == 4 /* a function that must return */
    drain();
#elif PART == 5 /* entered and left again and again: never for ever */
    while (!stop) {
        exeunt_section_begin("turn", &mutex);
        sched_yield();
        exeunt_section_end("turn", &mutex);
    }
#elif PART == 6 /* left by a thread that is not in it */
    exeunt_section_end("request", 0);
#endif
    return unused;
}

int main(void) {
    pthread_t thread;
    exeunt_proposition("awake", &ready);
    pthread_create(&thread, 0, worker, 0);
#if PART == 2 || PART == 4
    ready = 1;
#endif
#if PART == 2
    for (;;)
        ready = 1;
#elif PART == 5
    for (;;)
        sched_yield();
#endif
    pthread_join(thread, 0);
    return quiet() == 2 ? crashes() : 0;
}
