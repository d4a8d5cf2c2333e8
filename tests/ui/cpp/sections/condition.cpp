// verdict: holds
// states: 5071
// A predicate that is looked at under the lock: no wake-up is lost.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;
static bool ready;

int main() {
    std::thread thread([] {
        std::lock_guard<std::mutex> lock(m);
        ready = true;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(m);
        changed.wait(lock, [] { return ready; });
    }
    thread.join();
}
