// verdict: holds
// reductions: movers full
#include <cassert>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

class Actor {
    std::mutex m;
    std::condition_variable arrived;
    std::queue<std::function<void()>> mailbox;
    bool stopping = false;
    std::thread thread{[this] { run(); }};

    void run() {
        for (;;) {
            std::function<void()> message;
            {
                std::unique_lock lock(m);
                arrived.wait(lock, [this] { return stopping || !mailbox.empty(); });
                if (mailbox.empty())
                    return;
                message = std::move(mailbox.front());
                mailbox.pop();
            }
            message();
        }
    }

  public:
    void tell(std::function<void()> message) {
        std::lock_guard lock(m);
        mailbox.push(std::move(message));
        arrived.notify_one();
    }
    ~Actor() {
        {
            std::lock_guard lock(m);
            stopping = true;
            arrived.notify_one();
        }
        thread.join();
    }
};

int main() {
    int balance = 0;
    {
        Actor account;
        account.tell([&] { balance += 2; });
        account.tell([&] { balance -= 1; });
    }
    assert(balance == 1);
}
