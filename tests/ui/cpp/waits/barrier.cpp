// verdict: violated section
// exeunt: --sections barrier -- -std=c++20
// reductions: movers full
#include <atomic>
#include <barrier>
#include <thread>

std::atomic<int> beat;

int main() {
    std::barrier phase(3);
    std::thread one([&] { phase.arrive_and_wait(); }); //~ error
    std::thread two([&] { phase.arrive_and_wait(); });
    for (;;) {
        beat = 1;
        beat = 0;
    }
}
