// verdict: holds
// reductions: movers full
#include <iostream>
#include <thread>

int main() {
    std::thread worker([] { std::cout << "b"; });
    std::cout << "a";
    worker.join();
}
