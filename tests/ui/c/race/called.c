// verdict: violated race
// states: 18
// exeunt: --races
// The report says by which calls the two accesses were made.
#include <pthread.h>

static int total;

static void add(int n) {
    total += n; //~ error
}

static void add_twice(int n) {
    add(n);
    add(n);
}

static void *work(void *unused) {
    add_twice(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    add(2);
    pthread_join(thread, 0);
    return 0;
}
// optimised
