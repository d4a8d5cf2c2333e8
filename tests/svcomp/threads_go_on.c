// termination: false(termination)
#include <pthread.h>
static volatile int x;
static void *spin(void *unused) {
    for (;;)
        x = !x;
    return unused;
}
int main() {
    pthread_t t;
    pthread_create(&t, 0, spin, 0);
    pthread_exit(0);
}
