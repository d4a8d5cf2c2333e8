// verdict: violated race
// states: 13
// exeunt: --races
// strtok_r reads and writes what its third argument points to.
#include <pthread.h>
#include <string.h>

static char text[] = "a b c";
static char *rest = text;

static void *work(void *unused) {
    char *word = strtok_r(0, " ", &rest); //~ error
    return word ? unused : 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    strtok_r(0, " ", &rest); //~ error
    pthread_join(thread, 0);
    return 0;
}
// optimised
