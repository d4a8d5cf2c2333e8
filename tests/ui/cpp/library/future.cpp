// verdict: holds
// reductions: movers full
#include <cassert>
#include <future>

int main() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread worker([&] { promise.set_value(3); });
    assert(future.get() == 3);
    worker.join();
}
