// verdict: violated deadlock
// reductions: movers full
// exeunt: -- -std=c++20
#include <semaphore>
#include <thread>

int main() {
    std::counting_semaphore<4> free(1);
    std::thread worker([&] { free.acquire(); });
    free.acquire(); //~ error
    worker.join(); //~ error
}
