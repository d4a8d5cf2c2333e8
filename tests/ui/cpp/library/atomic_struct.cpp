// verdict: holds
// reductions: movers full
// exeunt: -- -std=c++20
#include <atomic>
#include <cassert>
#include <thread>

struct Pair {
    int a, b;
    bool operator==(const Pair &) const = default;
};
struct alignas(16) Wide {
    long a, b;
};

int main() {
    std::atomic<Pair> pair{Pair{0, 0}};
    std::atomic<float> sum{0.5f};
    int plain = 0;
    std::thread other([&] {
        pair.store(Pair{1, 1});
        sum.fetch_add(1.0f);
        std::atomic_ref<int>(plain)++;
    });
    Pair seen = pair.load();
    assert(seen.a == seen.b);
    sum.fetch_add(1.0f);
    std::atomic_ref<int>(plain)++;
    other.join();
    assert(sum == 2.5f && plain == 2);
    std::atomic<Wide> wide{Wide{1, 2}};
    Wide expected{1, 2};
    assert(wide.compare_exchange_strong(expected, Wide{3, 4}) && wide.load().b == 4);
}
