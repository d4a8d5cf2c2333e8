// verdict: holds
// states: 7132
// native
#include <cstdio>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int runs;

static void init() {
    std::call_once(flag, [] { runs++; });
}

int main() {
    std::thread thread(init);
    init();
    thread.join();
    std::printf("%d\n", runs);
}
