// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
    std::mutex m;
    std::condition_variable_any changed;
    std::jthread worker([&](std::stop_token stop) {
        std::unique_lock lock(m);
        changed.wait(lock, stop, [] { return false; });
    });
}
