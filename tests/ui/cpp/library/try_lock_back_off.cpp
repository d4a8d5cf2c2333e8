// verdict: holds
// reductions: movers full
#include <mutex>
#include <thread>

static std::mutex a, b;

int main() {
    std::thread other([] {
        std::lock(b, a);
        std::lock_guard<std::mutex> first(b, std::adopt_lock), second(a, std::adopt_lock);
    });
    {
        std::scoped_lock lock(a, b);
    }
    other.join();
}
