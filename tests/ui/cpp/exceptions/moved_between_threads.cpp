// verdict: holds
// reductions: movers full
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

int main() {
    std::exception_ptr failure;
    std::thread worker([&] {
        try {
            throw std::out_of_range("row 3");
        } catch (...) {
            failure = std::current_exception();
        }
    });
    worker.join();
    try {
        std::rethrow_exception(failure);
        assert(0);
    } catch (const std::out_of_range &) {
    }
}
