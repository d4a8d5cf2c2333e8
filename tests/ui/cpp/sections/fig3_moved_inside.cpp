// verdict: holds
// states: 20759
// Figure 3 of the paper: the lock is given back in every round.
#include <atomic>
#include <mutex>
#include <thread>

static std::mutex m;
static std::atomic<int> work, other_work;

static void thread0() {
    while (true) {
        std::unique_lock<std::mutex> lock(m);
        work ^= 1;
    }
}

static void thread1() {
    while (true) {
        std::unique_lock<std::mutex> lock(m);
        other_work ^= 1;
    }
}

int main() {
    std::thread t(thread0);
    t.detach();
    thread1();
}
