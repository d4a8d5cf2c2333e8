// verdict: violated deadlock
// reductions: movers full
// exeunt: -- -std=c++20
#include <barrier>
#include <thread>

int main() {
    std::barrier barrier(2);
    std::thread other([&] { (void)barrier.arrive(); });
    barrier.arrive_and_wait();
    barrier.arrive_and_wait(); //~ error
    other.join();
}
