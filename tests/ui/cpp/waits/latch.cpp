// verdict: violated section
// exeunt: --sections latch -- -std=c++20
// reductions: movers full
// Only a wait for the latch is asked about; the third arrival is missing.
#include <atomic>
#include <latch>
#include <thread>

std::atomic<int> beat;

int main() {
    std::latch done(3);
    std::thread one([&] { done.count_down(); });
    std::thread two([&] { done.count_down(); });
    std::thread waiting([&] { done.wait(); }); //~ error
    for (;;) {
        beat = 1;
        beat = 0;
    }
}
