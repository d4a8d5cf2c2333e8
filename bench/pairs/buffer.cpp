#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable filled, emptied;
static int item, sum;
static bool full;

static void produce() {
    for (int i = 1; i <= ITEMS; i++) {
        std::unique_lock<std::mutex> lock(m);
        emptied.wait(lock, [] { return !full; });
        item = i;
        full = true;
        filled.notify_one();
    }
}

int main() {
    std::thread producers[PRODUCERS];
    for (auto &producer : producers)
        producer = std::thread(produce);
    for (int i = 0; i < PRODUCERS * ITEMS; i++) {
        std::unique_lock<std::mutex> lock(m);
        filled.wait(lock, [] { return full; });
        sum += item;
        full = false;
        emptied.notify_one();
    }
    for (auto &producer : producers)
        producer.join();
    assert(sum == PRODUCERS * ITEMS * (ITEMS + 1) / 2);
}
