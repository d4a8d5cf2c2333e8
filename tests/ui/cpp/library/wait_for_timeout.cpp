// verdict: violated assertion
// reductions: movers full
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
    std::mutex m;
    std::condition_variable ready;
    bool done = false;
    std::thread worker([&] {
        std::lock_guard<std::mutex> lock(m);
        done = true;
        ready.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(m);
        ready.wait_for(lock, std::chrono::seconds(1));
        assert(done); //~ error
    }
    worker.join();
}
