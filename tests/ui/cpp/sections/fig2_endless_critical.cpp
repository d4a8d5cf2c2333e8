// verdict: violated section
// states: 8342
// exeunt: --all
// Figure 2 of the paper: the lock is held for as long as the loop runs.
#include <atomic>
#include <mutex>
#include <thread>

static std::mutex m;
static std::atomic<int> work, other_work;

static void thread0() {
    std::unique_lock<std::mutex> lock(m); //~ error
    while (true)
        work ^= 1;
}

static void thread1() {
    while (true) {
        std::unique_lock<std::mutex> lock(m); //~ error
        other_work ^= 1;
    }
}

int main() {
    std::thread t(thread0);
    thread1();
}
