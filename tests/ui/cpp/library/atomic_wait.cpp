// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> stage{0};

int main() {
    std::thread worker([] {
        stage = 1;
        stage.notify_one();
    });
    stage.wait(0);
    assert(stage == 1);
    worker.join();
}
