// verdict: violated race
// states: 274
// exeunt: --races
// A lock that is shared does not protect a write.
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex lock;
static int hits;

static void count() {
    std::shared_lock hold(lock);
    hits++; //~ error
}

int main() {
    std::thread thread(count);
    count();
    thread.join();
    std::unique_lock hold(lock);
    return hits < 0;
}
