// verdict: holds
// states: 15
// exeunt: --races
// Copies of neighbouring bytes do not overlap.
#include <pthread.h>
#include <string.h>

static char bytes[16];

static void *work(void *unused) {
    memcpy(bytes, "abcdefgh", 8);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    memset(bytes + 8, 1, 8);
    pthread_join(thread, 0);
    return 0;
}
// optimised
