// verdict: violated deadlock
// states: 1493
// exeunt: --no-spurious
// Without a predicate a notification that comes first is lost.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable changed;

int main() {
    std::thread thread([] {
        std::lock_guard<std::mutex> lock(m);
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(m);
        changed.wait(lock); //~ error
    }
    thread.join();
}
