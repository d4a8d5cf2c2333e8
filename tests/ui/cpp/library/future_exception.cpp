// verdict: holds
// reductions: movers full
#include <cassert>
#include <future>
#include <stdexcept>

int main() {
    auto future = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
    try {
        future.get();
        assert(0);
    } catch (const std::runtime_error &) {
    }
}
