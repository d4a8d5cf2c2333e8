#include <cassert>
#include <mutex>
#include <thread>

static std::mutex m;
static int total;

static void add() {
    for (int i = 0; i < ROUNDS; i++) {
        std::lock_guard<std::mutex> lock(m);
        total++;
    }
}

int main() {
    std::thread one(add), two(add), three(add);
    one.join();
    two.join();
    three.join();
    assert(total == 3 * ROUNDS);
}
