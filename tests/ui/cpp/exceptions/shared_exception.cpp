// verdict: holds
// reductions: tau superstep movers full
// One exception in several threads.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <thread>

std::exception_ptr problem;
int seen[2];

void look(int i) {
    try {
        std::rethrow_exception(problem);
    } catch (const std::runtime_error &) {
        seen[i] = 1;
    }
}

int main() {
    std::thread worker([] {
        try {
            throw std::runtime_error("shared");
        } catch (...) {
            problem = std::current_exception();
        }
    });
    worker.join();
    std::thread one(look, 0), two(look, 1);
    one.join();
    two.join();
    problem = nullptr;
    assert(seen[0] && seen[1]);
}
