// verdict: holds
// states: 126
// exeunt: --property temporal --fair --ltl 'G !(at(2, work) && at(3, work))'
// exeunt: --ltl 'G (open(2, mutex-wait, mutex) -> F open(2, critical, mutex))' --ltl 'F at(visit:22)'
// Where threads are, and what they are inside of.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void work(void) { done++; }

static void *visit(void *unused) {
    pthread_mutex_lock(&mutex);
    work();
    pthread_mutex_unlock(&mutex);



    /* line 22 is the next statement */

    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, visit, 0);
    pthread_create(&two, 0, visit, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
}
