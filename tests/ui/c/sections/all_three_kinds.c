// verdict: violated section
// states: 61
// exeunt: --all --must-return stay --sections function,user,rwlock-held
// A function that is called at two places, a section that is entered at two,
// a lock that is taken at two: all six are told.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int ticks, first;

__attribute__((noinline)) static void stay(void) {
    for (;;)
        ticks ^= 1;
}

static void *work(void *unused) {
    if (first) {
        pthread_rwlock_wrlock(&lock); //~ error
        exeunt_section_begin("work", &lock); //~ error
        stay(); //~ error
    } else {
        pthread_rwlock_wrlock(&lock); //~ error
        exeunt_section_begin("work", &lock); //~ error
        stay(); //~ error
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    first = 1;
    pthread_join(thread, 0);
    return 0;
}
