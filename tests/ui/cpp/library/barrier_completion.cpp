// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
#include <barrier>
#include <cassert>
#include <thread>

static int phases, left, right;

int main() {
    auto done = []() noexcept {
        assert(left == right);
        phases++;
    };
    std::barrier barrier(2, done);
    std::thread other([&] {
        left++;
        barrier.arrive_and_wait();
    });
    right++;
    barrier.arrive_and_wait();
    assert(phases == 1);
    other.join();
}
