// verdict: holds
// reductions: tau superstep movers full
// native
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::recursive_mutex again;
static std::shared_mutex shared;
static int value;

static int fib(int n) {
    std::lock_guard<std::recursive_mutex> lock(again);
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

int main() {
    std::thread thread([] {
        std::unique_lock<std::shared_mutex> lock(shared);
        value = fib(5);
    });
    fib(3);
    thread.join();
    std::shared_lock<std::shared_mutex> lock(shared);
    std::printf("%d\n", value);
}
