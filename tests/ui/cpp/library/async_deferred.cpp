// verdict: holds
// states: 1159
#include <cassert>
#include <future>

int main() {
    int calls = 0;
    auto future = std::async(std::launch::deferred, [&] { return ++calls; });
    assert(calls == 0);
    assert(future.get() == 1);
}
