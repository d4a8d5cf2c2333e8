// verdict: violated section
// exeunt: --sections once
// reductions: tau movers full
#include <atomic>
#include <mutex>
#include <thread>

std::once_flag ready;
std::atomic<bool> stop;

static void initialise() {
    while (!stop) {
    }
}

int main() {
    std::thread one([] { std::call_once(ready, initialise); }); //~ error
    one.join();
}
