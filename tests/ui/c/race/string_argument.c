// verdict: violated race
// states: 7
// exeunt: --races
// printf reads the strings that it prints.
#include <pthread.h>
#include <stdio.h>

static char name[2] = "a";

static void *work(void *unused) {
    name[0] = 'b'; //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    printf("%s\n", name); //~ error
    pthread_join(thread, 0);
    return 0;
}
// optimised
