// verdict: violated deadlock
// reductions: movers full
// exeunt: -- -std=c++20
#include <latch>
#include <thread>

int main() {
    std::latch done(3);
    std::thread one([&] { done.count_down(); });
    std::thread two([&] { done.count_down(); });
    done.wait(); //~ error
    one.join();
    two.join();
}
