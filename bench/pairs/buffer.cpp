#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex m;
static std::condition_variable filled, emptied;
static int item, sum;
static bool full;

static void produce() {
    for (int i = 1; i <= 3; i++) {
        std::unique_lock<std::mutex> lock(m);
        emptied.wait(lock, [] { return !full; });
        item = i;
        full = true;
        filled.notify_one();
    }
}

int main() {
    std::thread producer(produce);
    for (int i = 1; i <= 3; i++) {
        std::unique_lock<std::mutex> lock(m);
        filled.wait(lock, [] { return full; });
        sum += item;
        full = false;
        emptied.notify_one();
    }
    producer.join();
    assert(sum == 6);
}
