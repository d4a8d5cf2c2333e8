// verdict: violated section
// exeunt: --sections sem-wait -- -std=c++20
// reductions: movers full
#include <atomic>
#include <semaphore>
#include <thread>

std::atomic<int> beat;

int main() {
    std::counting_semaphore<4> slots(1);
    std::thread greedy([&] {
        slots.acquire();
        slots.acquire(); //~ error
    });
    for (;;) {
        beat = 1;
        beat = 0;
    }
}
