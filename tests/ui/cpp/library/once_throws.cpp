// verdict: holds
// reductions: movers full
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

static std::once_flag once;
static int calls;

static void init() {
    try {
        std::call_once(once, [] {
            if (++calls == 1)
                throw std::runtime_error("not yet");
        });
    } catch (const std::runtime_error &) {
    }
}

int main() {
    std::thread other(init);
    init();
    other.join();
    init();
    assert(calls == 2);
}
