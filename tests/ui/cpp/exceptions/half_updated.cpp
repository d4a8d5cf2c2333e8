// verdict: violated assertion
// reductions: movers full
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

struct Account {
    std::mutex m;
    int from = 2, to = 0;
    void transfer(int amount) {
        std::lock_guard<std::mutex> lock(m);
        from -= amount;
        if (from < 0)
            throw std::runtime_error("overdrawn");
        to += amount;
    }
};

int main() {
    Account account;
    std::thread worker([&] {
        try {
            account.transfer(3);
        } catch (const std::runtime_error &) {
        }
    });
    try {
        account.transfer(1);
    } catch (const std::runtime_error &) {
    }
    worker.join();
    assert(account.from + account.to == 2); //~ error
}
