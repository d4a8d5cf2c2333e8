// verdict: violated race
// states: 7
// exeunt: --races
// An assignment of a struct is an access to all of it.
#include <pthread.h>

struct pair { long a, b, c; };
static struct pair s, t;

static void *work(void *unused) {
    s = t; //~ error
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    s.b = 1; //~ error
    pthread_join(thread, 0);
    return 0;
}
