// verdict: violated race
// states: 9
// exeunt: --races
// strtok keeps a pointer that all threads share.
#include <pthread.h>
#include <string.h>

static void *work(void *argument) {
    strtok(argument, " "); //~ error
    return 0;
}

int main(void) {
    static char one[] = "a b", two[] = "c d";
    pthread_t thread;
    pthread_create(&thread, 0, work, one);
    work(two);
    pthread_join(thread, 0);
    return 0;
}
// optimised
