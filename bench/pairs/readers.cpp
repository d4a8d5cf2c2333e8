#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int a, b;

static void read_both() {
    for (int i = 0; i < ROUNDS; i++) {
        std::shared_lock<std::shared_mutex> reading(lock);
        assert(a == b);
    }
}

int main() {
    std::thread one(read_both), two(read_both);
    for (int i = 0; i < ROUNDS; i++) {
        std::unique_lock<std::shared_mutex> writing(lock);
        a++;
        b++;
    }
    one.join();
    two.join();
}
