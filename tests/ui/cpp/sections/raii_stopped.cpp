// verdict: holds
// states: 4845
// Somebody sets the flag, so the object comes to its end.
#include <atomic>
#include <exeunt.h>
#include <thread>

static std::atomic<int> ticks;
static std::atomic<bool> stop;

static void work() {
    exeunt::section inside("work", &ticks);
    while (!stop)
        ticks ^= 1;
}

int main() {
    std::thread thread(work);
    stop = true;
    thread.join();
}
