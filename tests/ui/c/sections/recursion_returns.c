// verdict: holds
// states: 1560
// Every call of a recursive function is a section of its own; all of them end.
#include <exeunt.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int leaves;

EXEUNT_MUST_RETURN static void walk(int depth) {
    if (depth == 0) {
        pthread_mutex_lock(&mutex);
        leaves++;
        pthread_mutex_unlock(&mutex);
        return;
    }
    walk(depth - 1);
    walk(depth - 1);
}

static void *start(void *unused) {
    walk(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, start, 0);
    walk(2);
    pthread_join(thread, 0);
    return leaves != 6;
}
