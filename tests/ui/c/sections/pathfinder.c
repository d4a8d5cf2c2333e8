// verdict: violated section
// states: 1878
// exeunt: --sections mutex-wait,critical
// The Mars Pathfinder as in Sthread: the low task, interrupted, gives back
// the task lock but keeps the bus lock while it waits for its betters to be
// done; the high task waits for the bus lock with the task lock in hand. Only
// the watchdog still runs, and on Mars it was what noticed.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t task_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t bus_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int high_interrupts, medium_interrupts;
static atomic_int medium_event = 1, low_event = 1;
static atomic_int watchdog;

static void *high(void *unused) {
    for (;;) {
        if (!low_event)
            continue;
        high_interrupts = 1;
        pthread_mutex_lock(&task_lock); //~ error
        pthread_mutex_lock(&bus_lock); //~ error
        high_interrupts = 0;
        pthread_mutex_unlock(&bus_lock);
        pthread_mutex_unlock(&task_lock);
    }
    return unused;
}

static void *medium(void *unused) {
    while (medium_event) {
        medium_interrupts = 1;
        pthread_mutex_lock(&task_lock);
        if (high_interrupts) {
            pthread_mutex_unlock(&task_lock);
            pthread_mutex_lock(&task_lock);
        }
        medium_event = 0;
        medium_interrupts = 0;
        pthread_mutex_unlock(&task_lock);
    }
    return unused;
}

static void *low(void *unused) {
    while (low_event) {
        pthread_mutex_lock(&task_lock);
        pthread_mutex_lock(&bus_lock); //~ error
        if (high_interrupts || medium_interrupts) {
            pthread_mutex_unlock(&task_lock);
            while (high_interrupts || medium_interrupts) {
            }
            pthread_mutex_lock(&task_lock); //~ error
        }
        low_event = 0;
        pthread_mutex_unlock(&bus_lock);
        pthread_mutex_unlock(&task_lock);
    }
    return unused;
}

int main(void) {
    pthread_t h, m, l;
    pthread_create(&h, 0, high, 0);
    pthread_create(&m, 0, medium, 0);
    pthread_create(&l, 0, low, 0);
    for (;;)
        watchdog ^= 1;
}
