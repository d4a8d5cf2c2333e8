// verdict: violated exception
// reductions: movers full
#include <future>
#include <thread>

int main() {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread worker([&] { promise.set_value(1); }); //~ error
    promise.set_value(2); //~ error
    worker.join();
    return future.get() == 0;
}
