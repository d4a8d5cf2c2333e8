// verdict: violated section
// states: 21
// exeunt: --all
// The thread ends inside the section, so nobody can leave it any more.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticks;

static void *work(void *unused) {
    exeunt_section_begin("work", &ticks); //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    for (;;)
        ticks ^= 1;
}
