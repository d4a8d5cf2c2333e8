// verdict: violated misuse
// states: 6
// A section is left by the thread that entered it, not by another.
#include <exeunt.h>
#include <pthread.h>

static int resource;

static void *other(void *unused) {
    exeunt_section_end("work", &resource); //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    exeunt_section_begin("work", &resource);
    pthread_create(&thread, 0, other, 0);
    pthread_join(thread, 0);
    return 0;
}
