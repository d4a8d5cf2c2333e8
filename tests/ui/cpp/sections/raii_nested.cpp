// verdict: violated section
// states: 43
// exeunt: --all
// The inner section is left, the outer one is not.
#include <atomic>
#include <exeunt.h>

static std::atomic<int> ticks;

int main() {
    exeunt::section outer("outer"); //~ error
    {
        exeunt::section inner("inner");
        ticks ^= 1;
    }
    while (true)
        ticks ^= 1;
}
