// verdict: violated section
// states: 186
// exeunt: --sections user
// The rescuer waits for its own input before it helps: a fair schedule lets it
// ask again and again, and the input says no again and again.
#include <exeunt.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int help;

static void *rescuer(void *unused) {
    for (;;) {
        pthread_mutex_lock(&mutex);
        if (exeunt_choose(3) == 2)
            help = 1;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, rescuer, 0);
    exeunt_wait_begin("help"); //~ error
    for (int done = 0; !done;) {
        pthread_mutex_lock(&mutex);
        done = help;
        pthread_mutex_unlock(&mutex);
    }
    exeunt_wait_end("help");
    return 0;
}
