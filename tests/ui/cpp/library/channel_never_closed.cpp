// verdict: violated deadlock
// reductions: movers full
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class Channel {
    std::mutex m;
    std::condition_variable changed;
    std::deque<int> items;
    bool closed = false;

  public:
    void send(int item) {
        std::lock_guard lock(m);
        items.push_back(item);
        changed.notify_one();
    }
    void close() {
        std::lock_guard lock(m);
        closed = true;
    }
    std::optional<int> receive() {
        std::unique_lock lock(m);
        changed.wait(lock, [&] { return closed || !items.empty(); }); //~ error
        if (items.empty())
            return {};
        int item = items.front();
        items.pop_front();
        return item;
    }
};

int main() {
    Channel channel;
    std::thread sender([&] {
        channel.send(1);
        channel.close();
    });
    while (channel.receive()) {
    }
    sender.join();
}
