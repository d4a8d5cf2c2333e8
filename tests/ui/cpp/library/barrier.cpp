// verdict: holds
// reductions: movers full
// exeunt: --time 100s -- -std=c++20
// The completion function runs once a phase, before anybody goes on.
#include <barrier>
#include <cassert>
#include <thread>

int phases;
struct Complete {
    void operator()() noexcept { phases++; }
};

int main() {
    std::barrier<Complete> barrier(2);
    std::thread other([&] {
        barrier.arrive_and_wait();
        assert(phases == 1);
    });
    barrier.arrive_and_wait();
    assert(phases == 1);
    other.join();
}
