// verdict: holds
// states: 15204
// exeunt: --outside fixed
#include <chrono>
#include <mutex>
#include <thread>

std::timed_mutex m;

int main() {
    std::thread worker([] {
        if (m.try_lock_for(std::chrono::milliseconds(5)))
            m.unlock();
    });
    m.lock();
    m.unlock();
    worker.join();
}
