// verdict: inconclusive
// states: any
// reductions: none global tau
// exeunt: --ignore done --sections join --shortest
// What is ignored decides the loop. Where the worker seems to be stuck it is
// not: what the abstraction shows is run again on the program itself.
#include <pthread.h>

static int done;

static void *work(void *unused) {
    while (done < 3)
        done++;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
