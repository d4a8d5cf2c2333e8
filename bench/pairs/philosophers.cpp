#include <algorithm>
#include <mutex>
#include <thread>

static std::mutex forks[SEATS];

static void eat(int left) {
    int right = (left + 1) % SEATS;
    std::lock_guard<std::mutex> first(forks[std::min(left, right)]);
    std::lock_guard<std::mutex> second(forks[std::max(left, right)]);
}

int main() {
    std::thread threads[SEATS];
    for (int i = 0; i < SEATS; i++)
        threads[i] = std::thread(eat, i);
    for (auto &thread : threads)
        thread.join();
}
