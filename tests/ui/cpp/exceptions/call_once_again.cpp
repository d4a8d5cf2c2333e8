// verdict: holds
// reductions: tau superstep movers full
// If the first call throws, the next one runs, whoever makes it.
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag flag;
int tries, ready;

void work() {
    try {
        std::call_once(flag, [] {
            if (tries++ == 0)
                throw 1;
            ready++;
        });
    } catch (int) {
    }
}

int main() {
    std::thread one(work), two(work);
    one.join();
    two.join();
    work();
    assert(ready == 1 && tries == 2);
}
