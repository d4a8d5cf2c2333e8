// verdict: violated deadlock
// reductions: movers full
// exeunt: -- -std=c++20
#include <atomic>
#include <thread>

std::atomic<int> stage{0};

int main() {
    std::thread worker([] { stage = 1; });
    stage.wait(0); //~ error
    worker.join();
}
