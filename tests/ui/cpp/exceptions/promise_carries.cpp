// verdict: holds
// reductions: movers full
#include <cassert>
#include <future>
#include <stdexcept>

int main() {
    std::packaged_task<int(int)> task([](int n) -> int {
        if (n < 0)
            throw std::domain_error("negative");
        return n;
    });
    auto result = task.get_future();
    std::thread worker(std::move(task), -1);
    try {
        result.get();
        assert(0);
    } catch (const std::domain_error &) {
    }
    worker.join();
}
