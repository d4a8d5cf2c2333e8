// verdict: holds
// reductions: tau superstep movers full
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex m;
int a, b;

int main() {
    std::thread writer([] {
        std::unique_lock lock(m);
        a++;
        b++;
    });
    std::thread reader([] {
        std::shared_lock lock(m);
        assert(a == b);
    });
    writer.join();
    reader.join();
}
