// verdict: holds
// states: 5468
// The Mars Pathfinder repaired: the low task gives back both locks while it
// waits. The high task may starve it for ever, which is its privilege.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t task_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t bus_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int high_interrupts, medium_interrupts;
static atomic_int medium_event = 1, low_event = 1;

static void high(void) {
    for (;;) {
        if (!low_event)
            continue;
        high_interrupts = 1;
        pthread_mutex_lock(&task_lock);
        pthread_mutex_lock(&bus_lock);
        high_interrupts = 0;
        pthread_mutex_unlock(&bus_lock);
        pthread_mutex_unlock(&task_lock);
    }
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
        pthread_mutex_lock(&bus_lock);
        if (high_interrupts || medium_interrupts) {
            pthread_mutex_unlock(&bus_lock);
            pthread_mutex_unlock(&task_lock);
            while (high_interrupts || medium_interrupts) {
            }
            pthread_mutex_lock(&task_lock);
            pthread_mutex_lock(&bus_lock);
        }
        low_event = 0;
        pthread_mutex_unlock(&bus_lock);
        pthread_mutex_unlock(&task_lock);
    }
    return unused;
}

int main(void) {
    pthread_t m, l;
    pthread_create(&m, 0, medium, 0);
    pthread_create(&l, 0, low, 0);
    high();
}
