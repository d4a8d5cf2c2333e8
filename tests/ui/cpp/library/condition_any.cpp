// verdict: holds
// states: 21994
// exeunt: --no-spurious
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
std::condition_variable_any changed;
bool ready;

int main() {
    std::thread worker([] {
        std::unique_lock<std::shared_mutex> lock(m);
        ready = true;
        changed.notify_one();
    });
    {
        std::shared_lock<std::shared_mutex> lock(m);
        changed.wait(lock, [] { return ready; });
    }
    worker.join();
}
