// verdict: holds
// reductions: movers full
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

static std::recursive_timed_mutex m;

int main() {
    std::lock_guard<std::recursive_timed_mutex> outer(m);
    assert(m.try_lock());
    m.unlock();
    bool taken = true;
    std::thread other([&] { taken = m.try_lock(); });
    other.join();
    assert(!taken);
}
