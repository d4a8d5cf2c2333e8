// verdict: violated exception
// reductions: movers full
#include <mutex>

int main() {
    std::mutex m;
    std::unique_lock<std::mutex> lock(m);
    lock.unlock();
    lock.unlock(); //~ error
}
