// verdict: holds
// states: 220
// A thread that is cancelled gives its locks back by their destructors.
#include <cassert>
#include <mutex>
#include <pthread.h>

std::mutex m;
pthread_mutex_t never = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

struct Unlock {
    ~Unlock() { pthread_mutex_unlock(&never); }
};

static void *work(void *) {
    std::lock_guard<std::mutex> lock(m);
    pthread_mutex_lock(&never);
    Unlock unlock;
    for (;;)
        pthread_cond_wait(&condition, &never);
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_cancel(thread);
    void *result;
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    assert(m.try_lock());
    m.unlock();
}
