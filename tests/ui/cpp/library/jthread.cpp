// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
// It asks its thread to stop, and joins it.
#include <stop_token>
#include <thread>

int main() {
    std::jthread worker([](std::stop_token stop) {
        while (!stop.stop_requested()) {
        }
    });
}
