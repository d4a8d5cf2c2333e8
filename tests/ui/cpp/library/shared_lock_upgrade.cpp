// verdict: violated deadlock
// reductions: movers full
#include <mutex>
#include <shared_mutex>
#include <thread>

static std::shared_mutex m;

// Both read, and both want to write before they stop reading.
static void upgrade() {
    std::shared_lock<std::shared_mutex> reading(m);
    std::unique_lock<std::shared_mutex> writing(m); //~ error
}

int main() {
    std::thread other(upgrade);
    upgrade();
    other.join();
}
