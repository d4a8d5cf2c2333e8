/* Priority inversion, as on Mars Pathfinder (after Cooperman and Quinson:
 * Sthread, 2020, their fourth listing).
 *
 * Three tasks share a bus. Who works takes the lock of the tasks, then the bus.
 * A task that is interrupted by a more urgent one gives way until that is done,
 * but the slow task gives only the first of its two locks back. The urgent task
 * asks, takes that one, and waits for the bus, while the slow task waits for the
 * urgent one to be done. FIXED: it gives both back.
 *
 *     exeunt cc --live -g -pthread inversion.c -o inversion
 *     exeunt live inversion --fair --ltl 'G (request -> F granted)'
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t tasks = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t bus = PTHREAD_MUTEX_INITIALIZER;
static atomic_int urgent, middle; /* they ask the others to give way */
static atomic_int slow_works = 1, middle_works = 1;
static volatile int request, granted;

static void *urgent_task(void *unused) {
    if (!slow_works)
        return unused;
    granted = 0;
    request = 1;
    urgent = 1;
    pthread_mutex_lock(&tasks);
    pthread_mutex_lock(&bus);
    granted = 1;
    request = 0;
    urgent = 0;
    pthread_mutex_unlock(&bus);
    pthread_mutex_unlock(&tasks);
    return unused;
}

static void *middle_task(void *unused) {
    if (!middle_works)
        return unused;
    middle = 1;
    pthread_mutex_lock(&tasks);
    if (urgent) {
        pthread_mutex_unlock(&tasks);
        sched_yield();
        pthread_mutex_lock(&tasks);
    }
    middle_works = 0;
    middle = 0;
    pthread_mutex_unlock(&tasks);
    return unused;
}

static void *slow_task(void *unused) {
    pthread_mutex_lock(&tasks);
    pthread_mutex_lock(&bus);
    if (urgent || middle) {
#ifdef FIXED
        pthread_mutex_unlock(&bus);
#endif
        pthread_mutex_unlock(&tasks);
        while (urgent || middle)
            sched_yield();
        pthread_mutex_lock(&tasks);
#ifdef FIXED
        pthread_mutex_lock(&bus);
#endif
    }
    slow_works = 0;
    pthread_mutex_unlock(&bus);
    pthread_mutex_unlock(&tasks);
    return unused;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, urgent_task, 0);
    pthread_create(&b, 0, middle_task, 0);
    pthread_create(&c, 0, slow_task, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    return 0;
}
