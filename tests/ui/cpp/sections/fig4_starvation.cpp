// verdict: violated ltl
// states: 20759
// exeunt: --fair --ltl "G (open(mutex-wait, m) -> F !open(mutex-wait, m))" --sections none
// Štill and Barnat, Figure 4: that a wait must end is too much to ask as a formula, also of a fair
// scheduler. It may let the other thread take the mutex again each time; as a section (Figure 3)
// the program holds.
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
