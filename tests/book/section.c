#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int readers;
static atomic_bool stopping;

static void *reader(void *unused) {
    exeunt_section_begin("reading", &readers);
    readers++;
    while (readers > 0 && !stopping)
        ;
    readers--;
    exeunt_section_end("reading", &readers);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    if (readers > 0)
        stopping = 1;
    pthread_join(thread, 0);
    return 0;
}
