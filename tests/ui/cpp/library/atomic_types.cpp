// verdict: holds
// states: 653
// native
// exeunt: -- -std=c++20
#include <atomic>
#include <cstdio>
#include <memory>

struct Small {
    short a, b;
    bool operator==(const Small &) const = default;
};

int main() {
    std::atomic<Small> small(Small{1, 2});
    Small expected{1, 2};
    printf("%d\n", small.compare_exchange_strong(expected, Small{3, 4}));
    printf("%d %d\n", small.load().a, small.load().b);
    std::atomic<double> number(1.5);
    number += 2;
    printf("%g\n", number.load());
    int plain = 4;
    std::atomic_ref<int> ref(plain);
    ref.fetch_add(3);
    printf("%d\n", plain);
    std::atomic<int *> pointer(&plain);
    printf("%d\n", *pointer.load());
    std::atomic<std::shared_ptr<int>> shared(std::make_shared<int>(9));
    printf("%d\n", *shared.load());
}
