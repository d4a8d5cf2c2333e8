// verdict: violated section
// states: 408
// exeunt: --sections once
// The initialisation of a variable needs the variable.
#include <atomic>
#include <thread>

static std::atomic<int> ticks;

static int value(int depth) {
    static int known = value(depth + 1); //~ error
    return known;
}

int main() {
    std::thread thread([] { value(0); });
    while (true)
        ticks ^= 1;
}
