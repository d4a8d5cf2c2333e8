// verdict: holds
// states: 163
// exeunt: --all
// Between the end of a section and its next begin there is nothing that others
// could see: in every state the section is open, and it is left all the same.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ticks;

static void *work(void *resource) {
    exeunt_section_begin("work", resource);
    for (;;) {
        ticks ^= 1;
        exeunt_section_end("work", resource);
        exeunt_section_begin("work", resource);
    }
    return 0;
}

int main(void) {
    static int first, second;
    pthread_t thread;
    pthread_create(&thread, 0, work, &first);
    work(&second);
}
