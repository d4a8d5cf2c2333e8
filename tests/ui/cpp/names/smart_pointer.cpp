// verdict: violated deadlock
// states: 12505
// What smart pointers and containers are made of is not part of a name.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

struct fork {
    int id = 0;
    std::mutex mutex;
};

struct table {
    std::vector<std::unique_ptr<fork>> forks;
};

static std::unique_ptr<table> dining;

static void eat(int first, int second) {
    std::lock_guard<std::mutex> a(dining->forks[first]->mutex);
    std::lock_guard<std::mutex> b(dining->forks[second]->mutex); //~ error
}

int main() {
    dining = std::make_unique<table>();
    for (int i = 0; i < 2; i++)
        dining->forks.push_back(std::make_unique<fork>());
    std::thread one(eat, 0, 1), two(eat, 1, 0);
    one.join(); //~ error
    two.join();
}
