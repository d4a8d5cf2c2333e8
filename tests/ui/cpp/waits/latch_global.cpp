// verdict: violated deadlock
// exeunt: -- -std=c++20
// reductions: movers full
#include <latch>
#include <thread>

static std::latch done(2);

int main() {
    std::thread worker([] { done.arrive_and_wait(); }); //~ error
    worker.join(); //~ error
}
