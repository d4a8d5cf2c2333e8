// verdict: violated exception
// states: 591
// The handler of another thread does not help.
#include <stdexcept>
#include <thread>

void work(int n) {
    if (n > 1)
        throw std::out_of_range("more than one"); //~ error
}

int main() {
    try {
        std::thread worker(work, 2);
        worker.join();
    } catch (const std::exception &) {
    }
}
