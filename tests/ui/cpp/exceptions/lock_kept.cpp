// verdict: violated deadlock
// states: 1098
// A mutex that is locked by hand stays locked.
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex m;

void work() {
    try {
        m.lock(); //~ error
        throw std::runtime_error("inside");
        m.unlock();
    } catch (const std::exception &) {
    }
}

int main() {
    std::thread one(work), two(work);
    one.join(); //~ error
    two.join(); //~ error
}
