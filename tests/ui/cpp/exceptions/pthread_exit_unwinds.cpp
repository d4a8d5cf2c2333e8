// verdict: holds
// states: 178
// pthread_exit destroys what is on the stack, as glibc does.
#include <cassert>
#include <pthread.h>

int destroyed, caught;

struct Counted {
    ~Counted() { destroyed++; }
};

static void inner() {
    Counted one;
    try {
        Counted two;
        pthread_exit(nullptr);
    } catch (...) {
        caught++;
        throw;
    }
}

static void *work(void *) {
    Counted outer;
    inner();
    assert(0);
    return nullptr;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_join(thread, nullptr);
    assert(destroyed == 3 && caught == 1);
}
