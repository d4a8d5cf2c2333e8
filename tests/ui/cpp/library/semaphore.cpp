// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
#include <cassert>
#include <semaphore>
#include <thread>

int main() {
    std::binary_semaphore ready(0);
    int data = 0;
    std::thread worker([&] {
        data = 5;
        ready.release();
    });
    ready.acquire();
    assert(data == 5);
    worker.join();
}
