// verdict: violated section
// states: 2138
// exeunt: --all
// The section ends with its object, and the object never ends.
#include <atomic>
#include <exeunt.h>
#include <thread>

static std::atomic<int> ticks;
static std::atomic<bool> stop;

static void work() {
    exeunt::section inside("work", &ticks); //~ error
    while (!stop)
        ticks ^= 1;
}

int main() {
    std::thread thread(work);
    thread.join(); //~ error
}
