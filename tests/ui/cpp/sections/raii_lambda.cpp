// verdict: violated section
// states: 126
// A section inside a lambda that is called through std::function.
#include <atomic>
#include <exeunt.h>
#include <functional>

static std::atomic<int> ticks;

int main() {
    std::function<void(bool)> job = [](bool endless) {
        exeunt::section inside("job"); //~ error
        while (endless)
            ticks ^= 1;
    };
    job(false);
    job(true);
}
