// verdict: holds
// reductions: movers full
#include <cassert>
#include <future>

int main() {
    auto one = std::async(std::launch::async, [] { return 1; });
    auto two = std::async(std::launch::async, [](int n) { return n; }, 2);
    assert(one.get() + two.get() == 3);
}
