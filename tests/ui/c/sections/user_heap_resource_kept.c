// verdict: violated section
// states: 39
// exeunt: --all
// The resource is in the heap, another thread comes and goes there for ever,
// and the section is never left.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *_Atomic scratch;
static int *_Atomic resource;

static void *churn(void *unused) {
    for (;;) {
        scratch = malloc(8);
        void *old = scratch;
        scratch = 0;
        free(old);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, churn, 0);
    resource = malloc(sizeof(int));
    exeunt_section_begin("work", resource); //~ error
    pthread_join(thread, 0); //~ error
    exeunt_section_end("work", resource);
    return 0;
}
