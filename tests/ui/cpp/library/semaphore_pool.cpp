// verdict: violated deadlock
// reductions: movers full
// exeunt: -- -std=c++20
// This program is right. The library of GCC 11 and 12 is not: a thread that fails to take the
// semaphore sleeps at a count that it has read before, and misses the wake-up.
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

int main() {
    std::counting_semaphore<2> slots(1);
    std::atomic<int> inside{0};
    auto work = [&] {
        slots.acquire(); //~ error
        assert(++inside == 1);
        --inside;
        slots.release();
    };
    std::thread other(work);
    work(); //~ error
    other.join(); //~ error
}
