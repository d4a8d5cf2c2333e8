#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> turn;
static int value;

static void answer() {
    for (int i = 0; i < ROUNDS; i++) {
        while (turn.load() != 2 * i + 1) {
        }
        value++;
        turn.store(2 * i + 2);
    }
}

int main() {
    std::thread other(answer);
    for (int i = 0; i < ROUNDS; i++) {
        value++;
        turn.store(2 * i + 1);
        while (turn.load() != 2 * i + 2) {
        }
    }
    assert(value == 2 * ROUNDS);
    other.join();
}
