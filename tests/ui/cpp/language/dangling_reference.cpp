// verdict: violated memory
// reductions: movers full
#include <thread>
#include <vector>

static std::thread start(std::vector<int> &out) {
    int scale = 2;
    return std::thread([&] {
        out.push_back(scale); //~ error
    });
}

int main() {
    std::vector<int> out;
    std::thread worker = start(out);
    worker.join();
}
