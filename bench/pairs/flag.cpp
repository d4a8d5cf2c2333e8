#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> turn;
static int value;

static void wait_for() {
    while (turn.load() != 1) {
    }
    value++;
    turn.store(2);
}

int main() {
    std::thread other(wait_for);
    value = 1;
    turn.store(1);
    while (turn.load() != 2) {
    }
    assert(value == 2);
    other.join();
}
