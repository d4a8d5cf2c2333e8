// verdict: violated deadlock+assertion
// states: any
// exeunt: --all
// Behind a deadlock there is an assertion: whatever the story of the first one has executed, the search still learns from it.
#include <assert.h>
#include <pthread.h>
static volatile int flag, value = 1;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *t0(void *u) { pthread_mutex_lock(&m); flag = 1; value = 2; return 0; }
static void *t1(void *u) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    if (flag) assert(value != 1); //~ error
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, t0, 0);
    pthread_create(&b, 0, t1, 0);
    pthread_join(a, 0);
    pthread_join(b, 0); //~ error
    return 0;
}
