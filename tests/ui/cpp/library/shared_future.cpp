// verdict: holds
// reductions: movers full
#include <cassert>
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    std::shared_future<int> result = promise.get_future().share();
    std::thread one([result] { assert(result.get() == 4); });
    promise.set_value(4);
    assert(result.get() == 4);
    one.join();
}
