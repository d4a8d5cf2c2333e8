// verdict: violated exception
// reductions: movers full
#include <map>
#include <thread>

static std::map<int, int> squares{{1, 1}, {2, 4}};

int main() {
    int result = 0;
    std::thread worker([&] {
        result = squares.at(3); //~ error
    });
    worker.join();
    return result;
}
