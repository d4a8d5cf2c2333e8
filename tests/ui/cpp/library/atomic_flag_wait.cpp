// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
#include <atomic>
#include <thread>

std::atomic_flag flag;

int main() {
    std::thread worker([] {
        flag.test_and_set();
        flag.notify_all();
    });
    flag.wait(false);
    worker.join();
}
