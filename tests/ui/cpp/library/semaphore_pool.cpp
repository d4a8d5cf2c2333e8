// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

int main() {
    std::counting_semaphore<2> slots(1);
    std::atomic<int> inside{0};
    auto work = [&] {
        slots.acquire();
        assert(++inside == 1);
        --inside;
        slots.release();
    };
    std::thread other(work);
    work();
    other.join();
}
