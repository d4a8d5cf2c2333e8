// verdict: violated deadlock
// reductions: movers full
#include <future>

int main() {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread worker([&] {});
    worker.join();
    return future.get(); //~ error
}
