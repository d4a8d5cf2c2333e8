// verdict: holds
// reductions: movers full
// exeunt: --leaks
#include <cassert>
#include <memory>
#include <thread>

int main() {
    auto owner = std::make_shared<int>(5);
    std::weak_ptr<int> watcher = owner;
    std::thread reader([watcher] {
        if (auto locked = watcher.lock())
            assert(*locked == 5);
    });
    owner.reset();
    reader.join();
    assert(watcher.expired());
}
