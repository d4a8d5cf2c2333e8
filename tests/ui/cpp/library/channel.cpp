// verdict: holds
// reductions: movers full
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

template <class T> class Channel {
    std::mutex m;
    std::condition_variable changed;
    std::deque<T> items;
    bool closed = false;

  public:
    void send(T item) {
        std::lock_guard lock(m);
        items.push_back(std::move(item));
        changed.notify_one();
    }
    void close() {
        std::lock_guard lock(m);
        closed = true;
        changed.notify_all();
    }
    std::optional<T> receive() {
        std::unique_lock lock(m);
        changed.wait(lock, [&] { return closed || !items.empty(); });
        if (items.empty())
            return {};
        T item = std::move(items.front());
        items.pop_front();
        return item;
    }
};

int main() {
    Channel<int> channel;
    std::thread sender([&] {
        channel.send(1);
        channel.send(2);
        channel.close();
    });
    int sum = 0;
    while (auto item = channel.receive())
        sum += *item;
    sender.join();
    assert(sum == 3);
}
