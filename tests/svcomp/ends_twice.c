// termination: unknown
#include <pthread.h>
static void *work(void *unused) {
    return unused;
}
int main() {
    pthread_t t;
    pthread_create(&t, 0, work, 0);
    pthread_exit(0);
}
