// verdict: violated misuse
// reductions: movers full
#include <condition_variable>
#include <mutex>
#include <thread>

// The thread starts before the members behind it are there.
class Actor {
    std::thread thread{[this] { run(); }};
    std::mutex m;
    std::condition_variable arrived;
    bool stopping = false;

    void run() {
        std::unique_lock lock(m); //~ error
        arrived.wait(lock, [this] { return stopping; }); //~ error
    }

  public:
    ~Actor() {
        {
            std::lock_guard lock(m); //~ error
            stopping = true;
            arrived.notify_one();
        }
        thread.join(); //~ error
    }
};

int main() { Actor actor; }
