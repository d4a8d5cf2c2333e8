// verdict: violated deadlock
// states: 2341
// Two locks in two orders.
#include <mutex>
#include <thread>

static std::mutex a, b;

int main() {
    std::thread thread([] {
        std::lock_guard<std::mutex> first(b);
        std::lock_guard<std::mutex> second(a); //~ error
    });
    {
        std::lock_guard<std::mutex> first(a);
        std::lock_guard<std::mutex> second(b); //~ error
    }
    thread.join(); //~ error
}
