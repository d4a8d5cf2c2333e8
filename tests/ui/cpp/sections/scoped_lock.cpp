// verdict: holds
// reductions: tau superstep movers full
// exeunt: -- -std=c++17
// std::scoped_lock gives back what it has when it does not get the rest.
#include <mutex>
#include <thread>

static std::mutex a, b;

int main() {
    std::thread thread([] { std::scoped_lock both(b, a); });
    { std::scoped_lock both(a, b); }
    thread.join();
}
