// verdict: refused the destructor of a `thread_local` object
// options: --thread t
#include <pthread.h>

struct Last {
    int x;
    ~Last() { x = 0; }
};

static thread_local Last last;
static int n = 5;

void *t(void *) {
    while (n > 0) {
        n--;
        last.x++;
    }
    return nullptr;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, t, nullptr);
    pthread_join(thread, nullptr);
}
