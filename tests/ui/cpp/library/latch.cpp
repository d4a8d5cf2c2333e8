// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
#include <cassert>
#include <latch>
#include <thread>

int main() {
    std::latch done(2);
    int a = 0, b = 0;
    std::thread one([&] {
        a = 1;
        done.count_down();
    });
    std::thread two([&] {
        b = 1;
        done.count_down();
    });
    done.wait();
    assert(a + b == 2);
    one.join();
    two.join();
}
