// verdict: violated section
// states: 495
// exeunt: --sections critical
// Štill and Barnat, Figure 5 with an end that is missing: the inner section never ends, so neither does
// the outer one.
#include <atomic>
#include <mutex>
#include <thread>

static std::mutex m1, m2;
static std::atomic<int> work;

static void nested(bool ends) {
    std::unique_lock<std::mutex> outer(m1); //~ error
    std::unique_lock<std::mutex> inner(m2); //~ error
    while (!ends)
        work ^= 1;
}

int main() {
    std::thread t(nested, false);
    nested(true);
    t.join();
}
