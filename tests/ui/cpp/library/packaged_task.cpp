// verdict: holds
// reductions: movers full
#include <cassert>
#include <future>

int main() {
    std::packaged_task<int(int)> task([](int n) { return n + 1; });
    std::shared_future<int> result = task.get_future().share();
    std::thread worker(std::move(task), 1);
    assert(result.get() == 2);
    worker.join();
}
