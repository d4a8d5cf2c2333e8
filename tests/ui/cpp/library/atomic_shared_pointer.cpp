// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

int main() {
    std::atomic<std::shared_ptr<int>> latest(std::make_shared<int>(1));
    std::thread writer([&] { latest.store(std::make_shared<int>(2)); });
    std::shared_ptr<int> seen = latest.load();
    assert(*seen == 1 || *seen == 2);
    writer.join();
    assert(*latest.load() == 2);
}
