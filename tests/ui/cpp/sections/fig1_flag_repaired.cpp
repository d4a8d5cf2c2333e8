// verdict: holds
// states: 2067
// exeunt: --must-return worker
// Štill and Barnat, Figure 1, with the condition that was meant.
#include <atomic>
#include <thread>

static std::atomic<int> x = 0;

static void do_work() {}

static void worker() {
    while (x == 0) {
    } // wait
    do_work();
}

int main() {
    std::thread t(worker);
    x = 42; // let worker run
    t.join();
}
