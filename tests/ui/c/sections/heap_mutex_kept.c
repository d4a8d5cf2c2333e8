// verdict: violated section
// states: 24
// exeunt: --all
// The kept mutex is in the heap, where another thread comes and goes all the
// time: it is the same mutex all the same.
#include <pthread.h>
#include <stdlib.h>

static void *_Atomic scratch;
static pthread_mutex_t *_Atomic mutex;

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
    pthread_mutex_t *fresh = malloc(sizeof *fresh);
    pthread_mutex_init(fresh, 0);
    mutex = fresh;
    pthread_create(&thread, 0, churn, 0);
    pthread_mutex_lock(fresh); //~ error
    pthread_join(thread, 0); //~ error
    pthread_mutex_unlock(fresh);
    return 0;
}
