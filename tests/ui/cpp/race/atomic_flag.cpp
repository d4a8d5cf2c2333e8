// verdict: holds
// states: 4143
// exeunt: --races
// A spin lock made of a flag: test_and_set acquires, clear releases.
#include <atomic>
#include <thread>

static std::atomic_flag busy = ATOMIC_FLAG_INIT;
static int x;

static void work() {
    while (busy.test_and_set(std::memory_order_acquire)) {
    }
    x++;
    busy.clear(std::memory_order_release);
}

int main() {
    std::thread thread(work);
    work();
    thread.join();
    return x - 2;
}
