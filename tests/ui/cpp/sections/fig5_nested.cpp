// verdict: holds
// states: 16038
// Štill and Barnat, Figure 5: one section within another, both left.
#include <mutex>
#include <thread>

static std::mutex m1, m2;

static void nested() {
    std::unique_lock<std::mutex> outer(m1);
    std::unique_lock<std::mutex> inner(m2);
}

int main() {
    std::thread t(nested);
    nested();
    t.join();
}
