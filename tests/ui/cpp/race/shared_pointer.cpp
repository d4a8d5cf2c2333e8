// verdict: holds
// states: 15716
// exeunt: --races
// The counts of a shared_ptr order the end of the object behind its uses.
#include <memory>
#include <thread>

struct Pair {
    int a = 0, b = 0;
};

int main() {
    auto pair = std::make_shared<Pair>();
    std::thread thread([pair] { pair->a = 1; });
    pair->b = 1;
    pair.reset();
    thread.join();
    return 0;
}
