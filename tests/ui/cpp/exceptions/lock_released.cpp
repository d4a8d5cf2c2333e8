// verdict: holds
// reductions: tau superstep movers full
// The guard leaves its section on the way of the exception.
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex m;
int done;

void work(int n) {
    try {
        std::lock_guard<std::mutex> lock(m);
        if (n)
            throw std::runtime_error("inside");
        done++;
    } catch (const std::exception &) {
        std::lock_guard<std::mutex> lock(m);
        done++;
    }
}

int main() {
    std::thread one(work, 0), two(work, 1);
    one.join();
    two.join();
    return done - 2;
}
