// verdict: holds
// states: 284
// The resource is in the heap, where another thread comes and goes: it is the
// same resource at the end of the section as at its begin.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *_Atomic scratch;
static int *_Atomic resource;

static void *churn(void *unused) {
    for (int i = 0; i < 2; i++) {
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
    exeunt_section_begin("work", resource);
    *resource = 1;
    *resource = 2;
    exeunt_section_end("work", resource);
    pthread_join(thread, 0);
    free(resource);
    return 0;
}
