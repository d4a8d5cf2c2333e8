// verdict: holds
// exeunt: --sections latch,future -- -std=c++20
// reductions: movers full
// The wait that never ends is of a kind that is not asked about.
#include <atomic>
#include <thread>

std::atomic<int> ready, beat;

int main() {
    std::thread waiting([] { ready.wait(0); });
    for (;;) {
        beat = 1;
        beat = 0;
    }
}
