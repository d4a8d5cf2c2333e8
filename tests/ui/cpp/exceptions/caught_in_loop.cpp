// verdict: holds
// states: 13837
// States come again although exceptions are thrown all the time.
#include <atomic>
#include <thread>

std::atomic<bool> stop{false};

int main() {
    std::thread worker([] {
        while (!stop) {
            try {
                throw 1;
            } catch (int) {
            }
        }
    });
    stop = true;
    worker.join();
}
