// verdict: violated assertion
// states: 61
// strcpy writes its string word by word.
#include <assert.h>
#include <pthread.h>
#include <string.h>

char shared[24] = "aaaaaaaaaaaaaaaaaaaa";

void *writer(void *arg) {
    strcpy(shared, "bbbbbbbbbbbbbbbbbbbb");
    return arg;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    volatile char *text = shared;
    char first = text[0], last = text[19];
    assert(!(first == 'b' && last == 'a')); //~ error
    pthread_join(thread, 0);
}
// optimised
