// verdict: violated race
// states: 7
// exeunt: --races
// One byte of two blocks is enough.
#include <pthread.h>
#include <string.h>

static char bytes[16], text[16];

static void *work(void *unused) {
    memcpy(bytes, text, 9); //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    memset(bytes + 8, 1, 8); //~ error
    pthread_join(thread, 0);
    return 0;
}
