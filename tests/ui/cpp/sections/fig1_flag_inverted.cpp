// verdict: violated section
// states: 190
// exeunt: --must-return worker --sections function
// Figure 1 of the paper, as it stands there: the condition is inverted.
#include <atomic>
#include <thread>

static std::atomic<int> x = 0;

static void do_work() {}

static void worker() {
    while (x != 0) {
    } // wait
    do_work();
}

static void run() {
    worker(); //~ error
}

int main() {
    std::thread t(run);
    x = 42; // let worker run
    t.join();
}
