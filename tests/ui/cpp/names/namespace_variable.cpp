// verdict: violated ltl
// states: 4457
// exeunt: --ltl "G (bank::total >= 9)" --invariant "moved <= 2"
// Variables in namespaces and static ones have mangled names, which nobody has to know.
#include <mutex>
#include <thread>

namespace bank {
static int total = 10;
}
static int moved;
static std::mutex m;

static void move() {
    std::lock_guard<std::mutex> guard(m);
    bank::total -= 1;
    moved += 1;
}

int main() {
    std::thread other(move);
    move();
    other.join();
}
