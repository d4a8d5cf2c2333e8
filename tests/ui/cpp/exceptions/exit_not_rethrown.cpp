// verdict: violated exception
// states: 43
#include <pthread.h>

static void *work(void *) {
    try {
        pthread_exit(nullptr);
    } catch (...) {
    } //~ error
    return nullptr;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_join(thread, nullptr);
}
