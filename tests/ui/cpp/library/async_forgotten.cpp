// verdict: violated assertion
// reductions: movers full
#include <atomic>
#include <cassert>
#include <future>

// The future of async waits in its destructor, so these run one after the other.
int main() {
    std::atomic<int> running{0};
    bool both = false;
    auto work = [&] {
        if (running++ == 1)
            both = true;
        running--;
    };
    (void)std::async(std::launch::async, work);
    (void)std::async(std::launch::async, work);
    assert(both); //~ error
}
