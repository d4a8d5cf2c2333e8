// verdict: violated section
// states: 1203
// exeunt: --must-return shop::Queue::drain --sections function
// A method by its qualified name; it drains for as long as somebody fills.
#include <atomic>
#include <thread>

namespace shop {
struct Queue {
    std::atomic<int> size{1};

    void drain() {
        while (size > 0) {
        }
    }
};
} // namespace shop

static shop::Queue queue;

int main() {
    std::thread thread([] { queue.size = 2; });
    queue.drain(); //~ error
    thread.join();
}
