// verdict: violated assertion
// states: 96
// strtok remembers its place for the whole process.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char a[] = "a b", b[] = "c d";

static void *other(void *argument) {
    strtok(b, " ");
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    strtok(a, " ");
    char *word = strtok(NULL, " ");
    assert(word && *word == 'b'); //~ error
    pthread_join(thread, NULL);
    return 0;
}
