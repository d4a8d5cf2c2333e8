// verdict: violated section
// exeunt: --sections stop-callback -- -std=c++20
// reductions: movers full
// The callback runs in the thread that asks for the stop, and waits for the one that destroys it.
#include <atomic>
#include <stop_token>
#include <thread>

std::atomic<bool> entered, released;

int main() {
    std::stop_source source;
    std::thread other([&] {
        std::stop_callback callback(source.get_token(), [] {
            entered = true;
            while (!released) {
            }
        });
        while (!entered) {
        }
    }); //~ error
    source.request_stop();
    other.join();
}
